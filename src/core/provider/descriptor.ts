/** The registered providers as data: which codecs, names and identities belong to each (cassette-contract 5.5 and 11). */

import { trim } from '../json/read.ts';
import type { GeneratedRequestField } from '../projection/rules.ts';

export type ProviderDescriptor = {
  providerId: string;
  agentTargetId: string;
  /** None of the codec names is stored in a tape; they follow from the provider. */
  codec: string;
  requestMatcher: string;
  inputObserver: string;
  projectionCodec: string;
  auditCodec: string;
  formats: { schemaVersion: number; projectionVersion: number }[];
  credentialMethods: string[];
  /** Probes of observers, which may be missing or additional at replay. */
  observerOnlyMethods: string[];
  accountReadMethod: string | null;
  generatedRequestField: GeneratedRequestField | null;
  /** Rewritten in inbound messages to what the live side generated. */
  generatedIdentityFields: string[];
  /** Accepted outbound under another value; the recorded inbound value stays. */
  matchOnlyIdentityFields: string[];
  /** Whether the environment of a start message stays off the tape. */
  excludesEnvironment: boolean;
  homeEnv: string[];
  homeDir: string;
};

/** The descriptor of a provider, as a copy; `null` where nobody registered it (cassette-contract 11). */
export function findDescriptor(provider: string): ProviderDescriptor | null {
  const name = nameOf(provider);
  const found = descriptors.find((descriptor) => descriptor.providerId === name);
  return found ? structuredClone(found) : null;
}

/** The provider that a target and a provider name together, `null` where one is unknown or they differ (cassette-contract 11). */
export function resolveTarget(target: string, provider: string): ProviderDescriptor | null {
  const name = nameOf(target);
  const byTarget = descriptors.find((descriptor) => descriptor.agentTargetId === name) ?? null;
  const byProvider = findDescriptor(provider);
  if (name === '') return byProvider;
  if (nameOf(provider) !== '' && byProvider?.providerId !== byTarget?.providerId) return null;
  return byTarget ? structuredClone(byTarget) : null;
}

/** All descriptors, as copies. */
export function allDescriptors(): ProviderDescriptor[] {
  return structuredClone(descriptors);
}

/** Membership of a field name; `turnID` is `turnId` (cassette-contract 11). */
export function isIdentityField(fields: readonly string[], name: string): boolean {
  return fields.some((field) => field.toLowerCase() === name.toLowerCase());
}

function nameOf(text: string): string {
  return trim(text).toLowerCase();
}

const tapeFormats = [{ schemaVersion: 4, projectionVersion: 1 }];
const sidecar = 'claude-sidecar-ndjson-v7';

const descriptors: ProviderDescriptor[] = [
  {
    providerId: 'codex',
    agentTargetId: 'local:codex',
    codec: 'json-rpc',
    requestMatcher: 'json-rpc',
    inputObserver: 'acp-json-input-units',
    projectionCodec: 'json-rpc-portable-v1',
    auditCodec: 'json-rpc-portable-v1',
    formats: tapeFormats,
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
    matchOnlyIdentityFields: [],
    excludesEnvironment: false,
    homeEnv: ['CODEX_HOME'],
    homeDir: 'codex-home',
  },
  {
    providerId: 'claude-code',
    agentTargetId: 'local:claude-code',
    codec: sidecar,
    requestMatcher: sidecar,
    inputObserver: `${sidecar}-input-units`,
    projectionCodec: `${sidecar}-portable-v1`,
    auditCodec: `${sidecar}-portable-v1`,
    formats: tapeFormats,
    credentialMethods: [],
    observerOnlyMethods: [],
    accountReadMethod: null,
    generatedRequestField: null,
    generatedIdentityFields: [
      'agentSessionId', 'providerTurnId', 'turnId', 'promptCorrelationId', 'goalOperationId', 'operationId', 'sourceGoalOperationId',
    ],
    matchOnlyIdentityFields: ['providerSessionId'],
    excludesEnvironment: true,
    homeEnv: ['CLAUDE_CONFIG_DIR'],
    homeDir: 'claude-home',
  },
];
