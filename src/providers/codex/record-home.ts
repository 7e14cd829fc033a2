/** A private home for recording: the scripted model as only provider, no telemetry, updates, plugins or accounts (spec providers, 1). */

import type { RecordHome } from '../../core/provider/adapter.ts';

export function codexRecordHome(options: { modelUrl: string }): RecordHome {
  const config = [
    // An unknown model gets plain function tools; a catalogued one does not.
    'model = "scripted"',
    'model_provider = "scripted"',
    'approval_policy = "on-request"',
    'sandbox_mode = "workspace-write"',
    'check_for_update_on_startup = false',
    'web_search = "disabled"',
    '',
    '[model_providers.scripted]',
    'name = "Scripted"',
    `base_url = "${options.modelUrl}/v1"`,
    'wire_api = "responses"',
    'env_key = "SCRIPTED_MODEL_KEY"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    'supports_websockets = false',
    '',
    '[analytics]',
    'enabled = false',
    '',
    '[feedback]',
    'enabled = false',
    '',
    '[otel]',
    'exporter = "none"',
    'trace_exporter = "none"',
    'metrics_exporter = "none"',
    '',
    // Without these two it synchronises plugins over the network.
    '[features]',
    'plugins = false',
    'apps = false',
    '',
  ];
  return { files: { 'config.toml': config.join('\n') }, env: { SCRIPTED_MODEL_KEY: 'none', TERM: 'dumb', NO_COLOR: '1', LANG: 'C.UTF-8' } };
}
