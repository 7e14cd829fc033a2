/** What Codex declares about portability (replay-runtime 1.5, stand-in d). Path members come from the pinned CLI's own types. */

import { contractPathFields, type ProjectionRules } from '../../core/projection/rules.ts';
import pathFields from './path-fields.json' with { type: 'json' };

export const codexRules: ProjectionRules = {
  pathFields: new Set([...contractPathFields, ...pathFields.names.map((name) => name.toLowerCase())]),
  freeTextFields: new Set([
    'text', 'delta', 'message', 'command', 'reason', 'aggregatedoutput', 'diff', 'summary', 'details', 'preview', 'title',
    'output', 'content', 'chunk', 'instructions', 'query', 'additionaldetails', 'proposedexecpolicyamendment', 'useragent',
  ]),
  credentialMethods: ['account/login/start', 'account/chatgptAuthTokens/refresh'],
  observerOnlyMethods: ['thread/read', 'thread/goal/get'],
  accountReadMethod: 'account/read',
  generatedRequestField: {
    method: 'turn/start',
    parameter: 'clientUserMessageId',
    prefix: 'plan-decision:',
    portable: 'plan-decision:<runtime-operation>',
  },
  generatedIdentityFields: ['clientUserMessageId'],
  hostFacts: [
    { method: 'remoteControl/status/changed', path: ['params', 'serverName'], value: 'replay-host' },
    { method: 'remoteControl/status/changed', path: ['params', 'installationId'], value: '00000000-0000-0000-0000-000000000000' },
  ],
};
