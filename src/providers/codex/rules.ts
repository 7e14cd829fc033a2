/** What Codex declares about portability (replay-runtime 1.5, stand-in d). Path members come from the pinned CLI's own types. */

import { contractPathFields, type ProjectionRules } from '../../core/projection/rules.ts';
import { findDescriptor, type ProviderDescriptor } from '../../core/provider/descriptor.ts';
import pathFields from './path-fields.json' with { type: 'json' };

/** What the contract says of Codex; the rest of these rules is what the pinned version needs beyond it. */
export const codexDescriptor = findDescriptor('codex') as ProviderDescriptor;

export const codexRules: ProjectionRules = {
  pathFields: new Set([...contractPathFields, ...pathFields.names.map((name) => name.toLowerCase())]),
  freeTextFields: new Set([
    'text', 'delta', 'message', 'command', 'reason', 'aggregatedoutput', 'diff', 'summary', 'details', 'preview', 'title',
    'output', 'content', 'chunk', 'instructions', 'query', 'additionaldetails', 'proposedexecpolicyamendment', 'useragent',
  ]),
  credentialMethods: codexDescriptor.credentialMethods,
  observerOnlyMethods: codexDescriptor.observerOnlyMethods,
  accountReadMethod: codexDescriptor.accountReadMethod,
  generatedRequestField: codexDescriptor.generatedRequestField,
  generatedIdentityFields: codexDescriptor.generatedIdentityFields,
  hostFacts: [
    { method: 'remoteControl/status/changed', path: ['params', 'serverName'], value: 'replay-host' },
    { method: 'remoteControl/status/changed', path: ['params', 'installationId'], value: '00000000-0000-0000-0000-000000000000' },
  ],
};
