/** Every fault code with its exit code and the one thing to do. `docs/errors.md` lists the same codes; a test compares. */

export type FaultCode = keyof typeof catalogue;
export type FaultEntry = { exitCode: 1 | 2 | 3 | 130; means: string; next: string };

const catalogue = {
  usage: { exitCode: 2, means: 'The command line is wrong.', next: 'playhead --help' },
  case_not_found: { exitCode: 2, means: 'A path names no case and no cassette.', next: 'playhead list' },
  case_invalid: { exitCode: 2, means: '`case.json` breaks its contract.', next: 'playhead validate <case>' },
  config_missing: { exitCode: 2, means: 'No `playhead.config.*` stands at or above a case.', next: 'Write playhead.config.ts, see docs/guide.md' },
  config_invalid: { exitCode: 2, means: '`playhead.config.ts` cannot be used.', next: 'playhead doctor' },
  allowance_expired: { exitCode: 2, means: 'An entry of `allow` or `quarantine` is past its date.', next: 'Remove the entry, or give it a later date' },
  product_unknown: { exitCode: 2, means: 'A case names a product that the configuration does not have.', next: 'playhead doctor' },
  provider_unknown: { exitCode: 2, means: 'A provider name has no adapter.', next: 'playhead doctor' },
  target_unknown: { exitCode: 2, means: 'A target names no checkpoint of the cassette.', next: 'playhead list' },
  option_invalid: { exitCode: 2, means: 'An option has a value that it cannot have.', next: 'playhead doctor' },
  scenario_invalid: { exitCode: 2, means: 'A scenario module lacks what it needs.', next: 'playhead validate <case>' },
  cwd_taken: { exitCode: 2, means: 'Two replays registered one project folder at once.', next: 'Give each test its own folder' },
  cassette_exists: { exitCode: 2, means: 'A recording would overwrite a cassette.', next: 'Record under another name, or delete the old cassette' },
  recording_in_ci: { exitCode: 2, means: 'CI asked to record into a cases folder.', next: 'playhead record --check <case>' },
  runtime_too_old: { exitCode: 3, means: 'Node is older than 22.13.', next: 'Install Node 22.13 or newer' },
  platform_unsupported: { exitCode: 3, means: 'The stand-in cannot run on this platform.', next: 'Run on Linux or macOS' },
  product_not_started: { exitCode: 3, means: 'The product ended or failed before it was ready.', next: 'Start the product by hand and read its output' },
  product_start_timeout: { exitCode: 3, means: 'The product gave no address in time.', next: 'Start the product by hand and read its output' },
  provider_missing: { exitCode: 3, means: 'Record mode found no real provider program.', next: 'playhead doctor' },
  provider_not_intercepted: { exitCode: 3, means: 'No provider launch reached a stand-in.', next: 'playhead doctor --wrap -- <command>' },
  launch_unregistered: { exitCode: 3, means: 'A launch belonged to no running test.', next: 'Start the provider below the test folder `replay.cwd`' },
  no_browser: { exitCode: 3, means: 'No browser could be started.', next: 'node scripts/setup.mjs, or npx playwright install chromium' },
  socket_path_too_long: { exitCode: 3, means: 'The folder for the stand-in is too deep for a Unix socket.', next: 'Set TMPDIR to a short folder' },
  stalled: { exitCode: 3, means: 'A wait ended by lack of progress.', next: 'playhead replay --timing recorded <case>' },
  spec_failed: { exitCode: 1, means: 'The spec or scenario failed by itself.', next: 'npx playwright test <spec>' },
  scenario_failed: { exitCode: 1, means: 'The scenario threw.', next: 'playhead replay --headed <case>' },
  recording_failed: { exitCode: 3, means: 'The recording could not be kept.', next: 'playhead record <case>' },
  recording_empty: { exitCode: 3, means: 'A recording captured no provider process.', next: 'playhead doctor --wrap -- <command>' },
  recording_not_portable: { exitCode: 2, means: 'A recorded value holds a machine path, host or user.', next: 'Record in a neutral folder' },
  recording_sensitive: { exitCode: 2, means: 'A recorded value holds a credential or an account.', next: 'Record without a login' },
  credential_method: { exitCode: 2, means: 'The product logged in while it was recorded.', next: 'Log in before the recording' },
  frame_too_large: { exitCode: 2, means: 'One chunk is over the frame limit.', next: 'Record a shorter message' },
  tape_too_large: { exitCode: 2, means: 'The tape is over its stored limit.', next: 'Record a shorter session' },
  recording_not_qualified: { exitCode: 1, means: 'A fresh replay of the new cassette was not clean.', next: 'playhead replay <cassette>' },
  recording_not_armed: { exitCode: 3, means: 'A recording was completed that was never armed.', next: 'Arm the recording first' },
  recording_busy: { exitCode: 3, means: 'A second recording was armed.', next: 'Complete or cancel the first one' },
  playback_refused: { exitCode: 3, means: 'The tape refused a call of the product; the divergence says why.', next: 'Read the divergence' },
  checkpoint_provider_overshot: { exitCode: 3, means: 'A provider lane went beyond a checkpoint.', next: 'playhead replay --timing recorded <case>' },
  interrupted: { exitCode: 130, means: 'SIGINT or SIGTERM came; everything that was started has been ended.', next: 'Run it again' },
  internal_error: { exitCode: 3, means: 'Playhead itself failed.', next: 'Report it with the cassette' },
} as const satisfies { [code: string]: FaultEntry };

export const faultCatalogue: { readonly [code in FaultCode]: FaultEntry } = catalogue;
