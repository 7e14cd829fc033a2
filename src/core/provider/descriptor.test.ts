import { expect, test } from 'vitest';
import { allDescriptors, findDescriptor, isIdentityField, resolveTarget } from './descriptor.ts';

test('the codex descriptor declares its whole adapter', () => {
  expect(findDescriptor(' Codex ')).toEqual({
    providerId: 'codex',
    agentTargetId: 'local:codex',
    codec: 'json-rpc',
    requestMatcher: 'json-rpc',
    inputObserver: 'acp-json-input-units',
    projectionCodec: 'json-rpc-portable-v1',
    auditCodec: 'json-rpc-portable-v1',
    formats: [{ schemaVersion: 4, projectionVersion: 1 }],
    credentialMethods: ['account/login/start', 'account/chatgptAuthTokens/refresh'],
    observerOnlyMethods: ['thread/read', 'thread/goal/get'],
    accountReadMethod: 'account/read',
    generatedRequestField: { method: 'turn/start', parameter: 'clientUserMessageId', prefix: 'plan-decision:', portable: 'plan-decision:<runtime-operation>' },
    generatedIdentityFields: ['clientUserMessageId'],
    matchOnlyIdentityFields: [],
    excludesEnvironment: false,
    homeEnv: ['CODEX_HOME'],
    homeDir: 'codex-home',
  });
});

test('the claude-code descriptor declares its whole adapter: the provider session is matched, its other identities are generated', () => {
  const found = findDescriptor('CLAUDE-CODE');
  expect(found).toMatchObject({
    providerId: 'claude-code',
    agentTargetId: 'local:claude-code',
    codec: 'claude-sidecar-ndjson-v7',
    requestMatcher: 'claude-sidecar-ndjson-v7',
    inputObserver: 'claude-sidecar-ndjson-v7-input-units',
    projectionCodec: 'claude-sidecar-ndjson-v7-portable-v1',
    auditCodec: 'claude-sidecar-ndjson-v7-portable-v1',
    credentialMethods: [],
    observerOnlyMethods: [],
    accountReadMethod: null,
    generatedRequestField: null,
    matchOnlyIdentityFields: ['providerSessionId'],
    excludesEnvironment: true,
    homeEnv: ['CLAUDE_CONFIG_DIR'],
    homeDir: 'claude-home',
  });
  for (const name of ['agentSessionID', 'providerTurnId', 'turnID', 'promptCorrelationId', 'goalOperationId', 'operationId', 'sourceGoalOperationId'])
    expect(isIdentityField(found?.generatedIdentityFields ?? [], name), name).toBe(true);
  expect(isIdentityField(found?.generatedIdentityFields ?? [], 'providerSessionId')).toBe(false);
});

test.each(['cursor', '', ' ', 'local:codex', 'codex2', '__proto__'])('findDescriptor(%j) finds nothing', (name) => void expect(findDescriptor(name)).toBe(null));

test('a changed descriptor leaves the registry as it is', () => {
  findDescriptor('codex')?.credentialMethods.splice(0);
  allDescriptors()[0]!.homeEnv.push('HOME');
  resolveTarget('local:codex', '')!.providerId = 'other';
  expect(findDescriptor('codex')).toMatchObject({ providerId: 'codex', homeEnv: ['CODEX_HOME'], credentialMethods: { length: 2 } });
});

test.each<[string, string, string | null]>([
  ['local:codex', 'codex', 'codex'],
  [' LOCAL:Claude-Code ', '', 'claude-code'],
  ['', ' Codex', 'codex'],
  [' ', ' ', null],
  ['local:codex', 'claude-code', null],
  ['local:codex', 'cursor', null],
  ['local:cursor', 'codex', null],
  ['local:cursor', '', null],
  ['local:cursor', 'cursor', null],
  ['codex', '', null],
])('resolveTarget(%j, %j) is %j', (target, provider, id) => void expect(resolveTarget(target, provider)?.providerId ?? null).toBe(id));
