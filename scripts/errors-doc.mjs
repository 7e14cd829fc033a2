// Writes docs/errors.md from the catalogues in src/core; `--check` compares and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { faultCatalogue } from '../src/core/fault-catalogue.ts';
import { issueCatalogue } from '../src/core/issue-catalogue.ts';
import { divergenceCatalogue } from '../src/core/verdict/divergence.ts';

const path = new URL('../docs/errors.md', import.meta.url);

export function errorsDocument() {
  // A code has one heading, so that a link to it is one place: the first of the kinds that it is, the others below it.
  const faults = Object.entries(faultCatalogue).filter(([code]) => !(code in divergenceCatalogue)).map(([code, entry]) => `### ${code}\n\n${faultText(entry)}\n`);
  const divergences = Object.entries(divergenceCatalogue).map(([code, { layer, means }]) => {
    const others = [code in issueCatalogue ? `As an issue: ${issueText(issueCatalogue[code])}\n` : '', code in faultCatalogue ? `As a fault: ${faultText(faultCatalogue[code])}\n` : ''];
    return [`### ${code}\n\n${means} Layer ${layer}, exit code 1.\n`, ...others.filter((text) => text !== '')].join('\n');
  });
  const issues = Object.entries(issueCatalogue).filter(([code]) => !(code in faultCatalogue || code in divergenceCatalogue)).map(([code, entry]) => `### ${code}\n\n${issueText(entry)}\n`);
  return [
    '# Errors\n',
    'Codes are stable. A *divergence* is the first place where a replay and its recording differ; an *issue* is something wrong with a cassette or a case; a *fault* is something wrong with the world around it. `playhead --json` and `verdict.json` carry the same codes. This page is written by `node scripts/errors-doc.mjs` from the catalogues in `src/core`.\n',
    '## Which layer a difference belongs to\n',
    'The first difference wins and stays; later ones follow from it.\n',
    '| what happened | layer | code |\n|---|---|---|',
    '| the cassette is not as it was recorded, or breaks its contract | cassette | the code of its first issue |',
    '| the window made no, another or one more command, or a command ended otherwise | effect | `command_missing`, `command_changed`, `command_extra`, `command_result` |',
    '| the product sent something else, or something more | protocol | `outbound_mismatch`, `outbound_extra`, `outbound_unfinished` |',
    '| the lane stands at a recorded message of the product, and nothing moves | protocol | `outbound_missing` |',
    '| a provider was started that the recording does not have | transport | `launch_unmatched`, `launch_ambiguous` |',
    '| a recorded connection was never started | transport | `connection_not_selected` |',
    '| the lane stands at recorded output that nobody read | transport | `not_drained` |',
    '| a provider lane was handled beyond the place where it was to be held | transport | `checkpoint_provider_overshot` |',
    '| a stand-in went away without an end | transport | `shim_lost` |',
    '| what triggers a checkpoint is missing, other or late | state | `checkpoint_not_reached`, `checkpoint_trigger_missing`, `checkpoint_trigger_mismatch`, `checkpoint_trigger_out_of_order` |',
    '| the stored state lacks what a checkpoint needs, or the window does not show it | state | `checkpoint_not_ready`, `not_shown` |',
    '| a turn nobody recorded, one that does not end, or an intent that cannot be done | state | `turn_surplus`, `session_unsettled`, `intent_not_ready` |',
    '| the final state is another | state | `state_diff` |\n',
    'What was recorded from the provider is the input of a replay and not judged: a changed answer is for the spec to notice, and `manifest_sha256_mismatch` says that somebody changed it.\n',
    '## Divergences\n',
    ...divergences,
    '## Issues of cassettes and cases\n',
    'On a replay the first of them is the divergence of layer cassette; `playhead validate` lists all. Some codes are faults as well, where the same thing is found while recording.\n',
    ...issues,
    '## Faults\n',
    ...faults,
  ].join('\n');
}

function faultText({ exitCode, means, next }) {
  return `${means} Exit code ${exitCode}. Next: ${next}.`;
}

function issueText({ means, levels, rule, severity }) {
  return `${means} ${severity === 'warning' ? 'A warning. ' : ''}${levels.length > 1 ? 'Levels' : 'Level'} ${levels.join(', ')}; rule: ${rule}.`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  if (!process.argv.includes('--check')) writeFileSync(path, errorsDocument());
  else if (readFileSync(path, 'utf8') !== errorsDocument()) {
    console.error('Cannot accept docs/errors.md: it is not what the catalogues say, node scripts/errors-doc.mjs was needed');
    process.exitCode = 1;
  }
}
