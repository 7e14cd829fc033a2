import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AllowedResidue } from '../projection/allow.ts';
import { Findings, issuesAt, type IssueLevel } from '../issue.ts';
import { parseJson, type Json } from '../json/exact.ts';
import { limits } from '../limits.ts';
import { findDescriptor } from '../provider/descriptor.ts';
import { TapeCheck } from './tape-check.ts';

type Line = string | { [member: string]: unknown };

const connection = (n: number, change: object = {}) => ({ connectionId: `connection-${n}`, provider: 'codex', agentSessionId: 's', rootAgentSessionId: 's', launchOrdinal: n, cwdToken: `\${SESSION_CWD:s:${n}}`, captureOrigin: 'process-start', ...change });
const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64');
const frame = (globalSeq: number, kind: string, data: string | Buffer | null, change: object = {}) => ({ connectionId: 'connection-1', chunkSeq: globalSeq, globalSeq, elapsedMs: 3, kind, ...(data === null ? {} : { data: base64(data) }), ...change });
const exit = (globalSeq: number, change: object = {}) => frame(globalSeq, 'exit', null, { exitCode: 0, ...change });
const other = { connectionId: 'connection-2' };

const good: readonly Line[] = [
  frame(1, 'outbound', '{"id":1,"method":"initialize"}\n'),
  frame(2, 'stdout', '{"id":1,"result":{}}\n{"method":"one"}\n'),
  frame(3, 'stderr', 'a log\n'),
  frame(4, 'stdout', '{"method":"two"}\n'),
  frame(5, 'stdout', '{"method":"three"}\n'),
  frame(6, 'stdout', '{"method":"four"}\n'),
  exit(7),
];

type Options = { connections?: object[]; manifest?: object; levels?: IssueLevel[]; allow?: AllowedResidue[]; streamBytesMax?: number; isAlone?: boolean };

function issuesOf(lines: readonly Line[], { connections = [connection(1)], manifest = {}, levels, allow, streamBytesMax, isAlone = false }: Options = {}) {
  const findings = new Findings();
  const check = new TapeCheck({ report: findings.report, findProvider: findDescriptor, isAlone, ...(allow ? { allow } : {}), ...(streamBytesMax ? { streamBytesMax } : {}) });
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const framesSha256 = createHash('sha256').update(texts.map((text) => `${text}\n`).join('')).digest('hex');
  const frameCount = texts.filter((text) => text !== '').length;
  check.manifest(parseJson(JSON.stringify({ schemaVersion: 4, projectionVersion: 1, status: 'complete', frameCount, framesSha256, connections, ...manifest })) as Json);
  let offset = 0;
  for (const [i, text] of texts.entries()) {
    const bytes = Buffer.from(text);
    if (text === '') check.blank(i + 1);
    else if (bytes.length >= limits.frameLineBytesMax) check.tooLong(i + 1);
    else check.frame(bytes, i + 1, offset);
    bytes.fill('x');
    offset += bytes.length + 1;
  }
  check.finish({ framesSha256 });
  return issuesAt(findings.all, levels);
}

const check = (lines: readonly Line[], found: string[], options: Options = {}) =>
  expect(issuesOf(lines, options).map(({ code, line, path }) => [code, line, path].filter((part) => part !== null).join(' '))).toEqual(found);
const stdout = (...texts: (string | Buffer)[]): Line[] => texts.map((text, i) => frame(i + 1, 'stdout', text));
const changed = (index: number, change: object): Line[] => good.map((line, i) => (i === index ? { ...(line as object), ...change } : line));
const without = (index: number): Line[] => good.filter((_line, i) => i !== index);

test.each<[string, readonly Line[], string[], Options?]>([
  ['nothing wrong', good, []],
  ['no frames', [], []],
  ['CR and white space around a line', [` ${JSON.stringify(good[0])}\r`, ...good.slice(1)], []],
  ['members in another order, and unknown ones', good.map((line) => JSON.stringify({ extra: { a: [1] }, ...Object.fromEntries(Object.entries(line).reverse()) })), []],
  ['line breaks in base64', changed(5, { data: base64('{"method":"four"}\n').replace(/(.{4})/g, '$1\r\n') }), []],
  ['empty chunks between others', changed(3, { data: undefined }), []],
  ['a message over three chunks', stdout('{"me', '', 'thod":"x"}\n'), []],
  ['bytes that are no UTF-8', stdout(Buffer.concat([Buffer.from('{"method":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}\n')])), []],
  ['dots in a path', stdout('{"path":"../../x","cwd":"${SESSION_CWD:s:1}/../y"}\n'), []],
  ['the token of the project folder', stdout('{"params":{"cwd":"${SESSION_CWD:s:1}"}}\n'), []],
  ['a log that is no JSON, and what would be found in it', [frame(1, 'stderr', '{"email":"a@b.c"}\nready\n')], []],
  ['a log that has no text', [frame(1, 'stderr', null)], []],
  ['an exit of a connection that nobody listed', [exit(1, { connectionId: 'connection-9' })], []],
  ['another provider', stdout('{"type":"event"}\n'), [], { connections: [connection(1, { provider: 'claude-code' })] }],
  ['two connections', [frame(1, 'stdout', '1\n'), frame(2, 'stdout', '2\n', { ...other, chunkSeq: 1 }), exit(3, { chunkSeq: 2 }), exit(4, { ...other, chunkSeq: 2 })], [], { connections: [connection(1), connection(2)] }],

  ['a blank line', [...good.slice(0, 3), '', ...good.slice(3)], ['line_blank 4']],
  ['a byte order mark', [`\ufeff${JSON.stringify(good[0])}`, ...good.slice(1)], ['byte_order_mark 1']],
  ['a line that is no JSON', [...good.slice(0, 4), '{', ...good.slice(5)], ['json_invalid 5']],
  ['a line that is a list', [...good.slice(0, 4), '[]', ...good.slice(5)], ['frame_invalid 5 $']],
  ['a line without end', [...good.slice(0, 4), 'x'.repeat(limits.frameLineBytesMax), ...good.slice(5)], ['frame_line_too_long 5']],
  ['a member twice', [JSON.stringify(good[0]).replace('"elapsedMs":3', '"elapsedMs":3,"elapsedMs":4'), ...good.slice(1)], ['json_member_repeated 1 $.elapsedMs']],
  ['a member that is nested too deep', [JSON.stringify(good[0]).replace('"elapsedMs"', `"extra":${'['.repeat(1001)}${']'.repeat(1001)},"elapsedMs"`), ...good.slice(1)], ['json_too_deep 1']],
  ['a globalSeq that is wrong', changed(3, { globalSeq: 50 }), ['frame_order_invalid 4 $.globalSeq']],
  ['no globalSeq', changed(3, { globalSeq: undefined }), ['frame_order_invalid 4 $.globalSeq']],
  ['a globalSeq that is text', changed(3, { globalSeq: '4' }), ['frame_invalid 4 $.globalSeq']],
  ['a globalSeq that is null', changed(3, { globalSeq: null }), ['frame_order_invalid 4 $.globalSeq']],
  ['a globalSeq below zero', changed(3, { globalSeq: -4 }), ['integer_invalid 4 $.globalSeq']],
  ['a globalSeq with a fraction', [...good.slice(0, 3), JSON.stringify(good[3]).replace('"globalSeq":4', '"globalSeq":4.0'), ...good.slice(4)], ['integer_invalid 4 $.globalSeq']],
  ['a globalSeq at the end of its type', [...good.slice(0, 3), JSON.stringify(good[3]).replace('"globalSeq":4', '"globalSeq":18446744073709551615'), ...good.slice(4)], ['frame_order_invalid 4 $.globalSeq']],
  ['a globalSeq beyond its type', [...good.slice(0, 3), JSON.stringify(good[3]).replace('"globalSeq":4', '"globalSeq":18446744073709551616'), ...good.slice(4)], ['integer_invalid 4 $.globalSeq']],
  ['a chunkSeq that is wrong', changed(3, { chunkSeq: 5 }), ['chunk_order_invalid 4 $.chunkSeq']],
  ['a chunkSeq with an exponent', [...good.slice(0, 3), JSON.stringify(good[3]).replace('"chunkSeq":4', '"chunkSeq":4e0'), ...good.slice(4)], ['integer_invalid 4 $.chunkSeq']],
  ['a gap in chunkSeq', good.map((line, i) => (i < 3 ? line : { ...(line as object), chunkSeq: i + 2 })), ['chunk_order_invalid 4 $.chunkSeq']],
  ['a frame missing', without(3), ['frame_order_invalid 4 $.globalSeq']],
  ['the first frame missing', without(0), ['frame_order_invalid 1 $.globalSeq']],
  ['a frame twice', [...good.slice(0, 4), ...good.slice(3)], ['frame_order_invalid 5 $.globalSeq']],
  ['two frames swapped', [...good.slice(0, 3), good[4]!, good[3]!, ...good.slice(5)], ['frame_order_invalid 4 $.globalSeq']],
  ['no elapsed time', changed(3, { elapsedMs: undefined }), ['frame_elapsed_invalid 4 $.elapsedMs']],
  ['an elapsed time below zero', changed(3, { elapsedMs: -1 }), ['frame_elapsed_invalid 4 $.elapsedMs']],
  ['an elapsed time that no float counts', changed(3, { elapsedMs: 2 ** 53 }), ['frame_elapsed_invalid 4 $.elapsedMs']],
  ['an elapsed time beyond its type', [...good.slice(0, 3), JSON.stringify(good[3]).replace('"elapsedMs":3', '"elapsedMs":9223372036854775808'), ...good.slice(4)], ['integer_invalid 4 $.elapsedMs']],
  ['an unknown kind', changed(3, { kind: 'stdin' }), ['frame_kind_unknown 4 $.kind']],
  ['a kind that is a number', changed(3, { kind: 1 }), ['frame_invalid 4 $.kind']],
  ['no exit code', changed(6, { exitCode: undefined }), ['frame_exit_code_missing 7 $.exitCode']],
  ['an exit code that is text', changed(6, { exitCode: '0' }), ['frame_invalid 7 $.exitCode']],
  ['a message that is a number', changed(6, { message: 1 }), ['frame_invalid 7 $.message']],
  ['data without padding', changed(3, { data: 'YWI' }), ['frame_data_invalid 4 $.data']],
  ['data that is a number', changed(3, { data: 7 }), ['frame_invalid 4 $.data']],
  ['data that breaks a message off', [...stdout('{"a"', ':1', '}\n').slice(0, 1), { ...(stdout('', '')[1] as object), data: '#' }, ...stdout('', '', '}\n').slice(2)], ['frame_data_invalid 2 $.data']],
  ['a line in the middle of a message that is no JSON', [stdout('{"a"')[0]!, '{', stdout('', '', '}\n')[2]!], ['json_invalid 2']],
  ['a payload over its limit', stdout(Buffer.from(`"${'x'.repeat(limits.frameBytesMax - 2)}"\n`)), ['frame_too_large 1 $.data']],
  ['a payload that is over its limit with its message', [frame(1, 'stdout', `"${'x'.repeat(limits.frameBytesMax - 3)}"\n`, { message: 'a' })], ['frame_too_large 1 $.data']],
  ['frames of a connection that nobody listed', [...good, frame(8, 'stdout', '1\n', { connectionId: 'connection-9', chunkSeq: 4 }), frame(9, 'stderr', null, { connectionId: 'connection-9', chunkSeq: 7 })], ['frame_connection_unknown 8 $.connectionId']],
  ['a log of a connection that nobody listed', [...good, frame(8, 'stderr', 'text', { connectionId: 'connection-9', chunkSeq: 1 })], ['frame_connection_unknown 8 $.connectionId']],
  ['no connection id', [frame(1, 'stdout', '1\n', { connectionId: undefined })], ['frame_connection_unknown 1 $.connectionId']],
  ['a connection id that is a number', [{ ...frame(1, 'stdout', '1\n'), connectionId: 1 }, exit(2)], ['frame_invalid 1 $.connectionId']],
  ['a frame behind the exit', [...good, frame(8, 'stderr', 'x'), frame(9, 'stderr', 'y')], ['chunk_after_exit 8']],

  ['a stream that holds nothing', [frame(1, 'stdout', null), frame(2, 'stdout', '')], ['protocol_json_invalid 2']],
  ['an outbound stream that holds nothing', [frame(1, 'outbound', null)], ['message_framing_unsupported 1', 'protocol_json_invalid 1']],
  ['a stream of white space', stdout('\n', ' \n'), ['protocol_json_invalid 2']],
  ['a word among messages', stdout('{"a":1}\n', 'Segfault\n{"email":"a@b.c"}\n', 'Segfault\n'), ['protocol_json_invalid 2', 'recording_sensitive 2 $.email']],
  ['a stream that ends inside a message', stdout('{"a":1}\n', '{"b":'), ['protocol_json_invalid 2']],
  ['a stream that ends without a line end', stdout('{"a":1}\n', '{"b":1}'), ['message_unfinished 2']],
  ['a byte order mark in a stream', stdout('\ufeff{"a":1}\n'), ['protocol_json_invalid 1']],
  ['adjacent messages', stdout('{"a":1}{"b":2}\n', '{"c":3}{"d":4}\n'), ['message_framing_unsupported 1']],
  ['a message over two outbound chunks', [frame(1, 'outbound', '{"id":'), frame(2, 'outbound', '1}\n')], ['message_framing_unsupported 1']],
  ['a message that is nested too deep', stdout(`${'['.repeat(1001)}${']'.repeat(1001)}\n`, '{"a":1}\n'), ['json_too_deep 1']],
  ['a log that is JSON', [frame(1, 'stderr', '{"email":"a@b.c"}\n'), frame(2, 'stderr', '{"path":"/x"}')], ['recording_sensitive 1 $.email', 'recording_not_portable 2 $.path']],
  ['a login', [frame(1, 'outbound', '{"method":" Account/Login/START "}\n')], ['credential_method 1 $.method']],
  ['the token refresh that a server asks for', stdout('{"method":"account/chatgptAuthTokens/refresh","id":1}\n'), ['credential_method 1 $.method']],
  ['a login in a list', stdout('[{"method":"account/login/start"}]\n'), []],
  ['a login of a provider that has none', stdout('{"method":"account/login/start"}\n'), [], { connections: [connection(1, { provider: 'claude-code' })] }],
  ['an absolute project folder', stdout('{"params":{"cwd":"/home/ada/x"}}\n'), ['recording_not_portable 1 $.params.cwd']],
  ['an absolute path to an image', stdout('{"params":{"item":{"savedPath":"C:\\\\x.png"}}}\n'), ['recording_not_portable 1 $.params.item.savedPath']],
  ['a private address', stdout('{"id":2,"result":{"account":{"email":"ada@example.org"}}}\n'), ['recording_sensitive 1 $.result.account.email']],
  ['the address of nobody', stdout('{"result":{"account":{"email":"replay-user@example.invalid"}}}\n'), []],
  ['what is found in a message over two chunks', stdout('{"a":1}\n{"ema', 'il":"a@b.c"}\n'), ['recording_sensitive 2 $.email']],
  ['a residue that the case accepts', stdout('{"method":"m","path":"/x","cwd":"/y"}\n'), ['recording_not_portable 1 $.cwd'], { allow: [{ method: 'm', rule: '$.path' }] }],
  ['a secret that the case would accept', stdout('{"email":"a@b.c"}\n'), ['recording_sensitive 1 $.email'], { allow: [{ method: null, rule: '$.email' }] }],
  ['a stream over its limit', stdout('{"a":1}\n', '{"b":2}\n', '{"c":3}\n'), ['stream_too_large 2'], { streamBytesMax: 15 }],
  ['a stream at its limit', stdout('{"a":1}\n', '{"b":2}\n'), [], { streamBytesMax: 16 }],

  ['another count', good, ['frame_count_mismatch'], { manifest: { frameCount: 8 } }],
  ['no count', good, ['frame_count_mismatch'], { manifest: { frameCount: null } }],
  ['a count that no float keeps', good, ['frame_count_mismatch'], { manifest: { frameCount: 2 ** 53 } }],
  ['another hash', good, ['frames_sha256_mismatch'], { manifest: { framesSha256: 'ab' } }],
  ['an unregistered provider', good, ['provider_unknown $.connections[0].provider'], { connections: [connection(1, { provider: 'cursor' })] }],
  ['no connections', [], ['tape_connections_empty $.connections'], { connections: [] }],
])('TapeCheck with %s', (_title, lines, found, options) => check(lines, found, options));

test('TapeCheck asks for each reader only what that reader asks for', () => {
  const wrong = [...changed(3, { globalSeq: 9, elapsedMs: -1 }).slice(0, 6), frame(7, 'stdin', null), frame(8, 'stdout', '{"email":"a@b.c"}\n')];
  const manifest = { framesSha256: 'ab', connections: [connection(1, { launchOrdinal: 0, captureOrigin: '' })] };
  const codes = (levels: IssueLevel[]) => issuesOf(wrong, { manifest, levels }).map(({ code }) => code);
  expect(codes(['publish'])).toEqual(['recording_sensitive']);
  expect(codes(['resolve'])).toEqual(['recording_sensitive']);
  expect(codes(['tape_load'])).toEqual(['launch_ordinal_invalid', 'capture_origin_invalid', 'frame_order_invalid', 'frames_sha256_mismatch']);
  expect(codes(['runner'])).toEqual(['frame_elapsed_invalid', 'frame_order_invalid', 'frame_kind_unknown']);
});

test('TapeCheck finds a missing chunk of a message also where nobody counts chunks', () => {
  check([stdout('{"a"')[0]!, stdout('', '', '}\n')[2]!], ['protocol_json_invalid 2'], { levels: ['resolve'] });
});

test('TapeCheck accepts what a killed session of ours had begun to say, and nobody else', () => {
  const lines = [...stdout('{"a":1}\n', '{"b":'), exit(3, { message: 'signal:SIGKILL', exitCode: 137 })];
  const own = { connections: [connection(1, { agentSessionId: 'wrap' })] };
  check(lines, [], { ...own, isAlone: true });
  check(lines, ['protocol_json_invalid 2'], own);
  check(lines, ['protocol_json_invalid 2'], { isAlone: true });
});

test('TapeCheck audits what a killed session of ours had said before, and takes one unfinished line alone', () => {
  const killed = (...texts: string[]) => [...stdout(...texts), exit(texts.length + 1, { message: 'signal:SIGKILL', exitCode: 137 })];
  const own = { connections: [connection(1, { agentSessionId: 'wrap' })], isAlone: true };
  check(killed('{"a":1}\n{"email":"a@b.c"}\n{"b":'), ['recording_sensitive 1 $.email'], own);
  check(killed('{"a":1}\n', '{"email":"a@b.c"}{"b":'), ['recording_sensitive 2 $.email'], { ...own, levels: ['publish'] });
  check(killed('{"a":1}\n[\n{"email":"a@b.c"}\n'), ['protocol_json_invalid 1', 'recording_sensitive 1 $.email'], own);
});

test('TapeCheck reads launches that speak no protocol as logs', () => {
  const plain = { connections: [connection(1, { agentSessionId: 'wrap-plain' })], isAlone: true };
  check([frame(1, 'stdout', 'desk 1.2\n'), exit(2)], [], plain);
  check([frame(1, 'stdout', '{"email":"a@b.c"}\n'), exit(2)], ['recording_sensitive 1 $.email'], plain);
  check(stdout('{"email":"a@b.c"}\nready\n', '{"path":"/x"}\n'), ['recording_sensitive 1 $.email', 'recording_not_portable 2 $.path'], plain);
  check(stdout('{"a":1}{"email":"a@b.c"}ready\n'), ['recording_sensitive 1 $.email'], plain);
  check(stdout('[\n{"email":"a@b.c"}\n'), ['recording_sensitive 1 $.email'], plain);
  check(stdout(`[\n${'['.repeat(1_001)}`), ['json_too_deep 1'], plain);
  check(stdout('ready\n', '{x\n'.repeat(2_000), '{"email":"a@b.c"}\n'), ['recording_sensitive 3 $.email'], plain);
  check([frame(1, 'outbound', '{"method":"account/login/start","params":{"cwd":"/home/bob","apiKey":"abc"}}\ngarbage\n')], ['credential_method 1 $.method', 'recording_not_portable 1 $.params.cwd', 'recording_sensitive 1 $.params.apiKey'], plain);
  check([frame(1, 'stderr', '{"email":"a@b.c"}\nready\n')], [], plain);
});

test('TapeCheck asks of launches without a protocol what it asks of all, where they are part of a cassette', () => {
  const plain = { connections: [connection(1, { agentSessionId: 'wrap-plain' })], levels: ['publish' as const] };
  check([frame(1, 'stdout', 'desk 1.2\n'), exit(2)], ['protocol_json_invalid 1'], plain);
  check([frame(1, 'outbound', '{"method":"account/login/start","params":{"cwd":"/home/bob","apiKey":"abc"}}\ngarbage\n')], ['credential_method 1 $.method', 'recording_not_portable 1 $.params.cwd', 'recording_sensitive 1 $.params.apiKey', 'protocol_json_invalid 1'], plain);
});

const textsOf = (lines: readonly Line[]) => {
  const seen: string[] = [];
  const tape = new TapeCheck({ report: () => {}, findProvider: findDescriptor, text: ({ line }, text) => void seen.push(`${line} ${text}`) });
  lines.forEach((line, i) => tape.frame(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)), i + 1, 0));
  return seen;
};

test.each<[string, readonly Line[], string[]]>([
  ['nothing but chunks', good, ['1 connection-1']],
  ['chunks in another order, with white space, and with nulls', good.map((line) => ` ${JSON.stringify({ message: null, ...Object.fromEntries(Object.entries(line).reverse()) })}`), ['1 connection-1']],
  ['several connections', [good[0]!, frame(2, 'stdout', '1\n', other), good[2]!, exit(4, { connectionId: 'c-3' }), exit(5, other)], ['1 connection-1', '2 connection-2', '4 c-3']],
  ['a diagnostic', [exit(1, { message: 'self' })], ['1 {"connectionId":"connection-1","chunkSeq":1,"globalSeq":1,"elapsedMs":3,"kind":"exit","exitCode":0,"message":"self"}']],
  ['an unknown member, its name and what is in it', ['{"elapsedMs":1,"data":"YWI=","kind":"stdout","k":{"a":[1,"\\u0062"]}}'], ['1 {"elapsedMs":1,"data":"","kind":"stdout","k":{"a":[1,"\\u0062"]}}']],
  ['a member twice', ['{"elapsedMs":1,"kind":"stdout","data":"YWI=","data":"YWI="}'], ['1 {"elapsedMs":1,"kind":"stdout","data":"YWI=","data":""}']],
  ['data that nobody decodes', ['{"elapsedMs":1,"kind":"stdout","data":"#secret"}'], ['1 {"elapsedMs":1,"kind":"stdout","data":"#secret"}']],
  ['a kind that nobody knows', ['{"elapsedMs":1,"kind":"secret"}'], ['1 {"elapsedMs":1,"kind":"secret"}']],
  ['an id of another type', ['{"elapsedMs":1,"kind":"stdout","connectionId":{"a":"secret"}}'], ['1 {"elapsedMs":1,"kind":"stdout","connectionId":{"a":"secret"}}']],
  ['lines that are no chunks', ['secret', '["secret"]', '"secret"', 'null'], ['1 secret', '2 ["secret"]', '3 "secret"', '4 null']],
])('TapeCheck gives the text beside the data of %s', (_title, lines, expected) => expect(textsOf(lines)).toEqual(expected));

test('TapeCheck ends soon with very many connections and broken lines, and goes on with the others', () => {
  const findings = new Findings();
  let textCount = 0;
  const tape = new TapeCheck({ report: findings.report, findProvider: findDescriptor, text: () => void textCount++ });
  const connections = Array.from({ length: 40_000 }, (_, i) => connection(i + 1));
  tape.manifest(parseJson(JSON.stringify({ schemaVersion: 4, projectionVersion: 1, status: 'complete', frameCount: 2_000_001, framesSha256: 'ab', connections })) as Json);
  const before = performance.now();
  const [broken, blank] = [Buffer.from('x'), 1_000_000];
  for (let n = 1; n <= 2_000_000; n++) tape.frame(broken, n, n * 2);
  for (let n = 1; n <= blank; n++) tape.blank(2_000_000 + n);
  tape.frame(Buffer.from(JSON.stringify(frame(2_000_001, 'stdout', '{"email":"a@b.c"}\n', { chunkSeq: 1 }))), 3_000_001, 0);
  tape.finish({ framesSha256: 'ab' });
  expect(performance.now() - before).toBeLessThan(5_000);
  expect(textCount).toBeLessThan(2_000);
  expect(findings.all.filter(({ code }) => code !== 'json_invalid' && code !== 'line_blank').map(({ code, line }) => `${code} ${line}`)).toEqual(['recording_sensitive 3000001']);
});

test('TapeCheck finds what every reader refuses also behind very many lines that say nothing', () => {
  const empty = Array.from({ length: 2_000 }, () => '{}');
  check([...empty, '{"a":0}', 'null', '{"data":1}', '[]', 'x'], ['frame_invalid 2003 $.data', 'frame_invalid 2004 $', 'json_invalid 2005'], { levels: ['publish'] });
});

test('TapeCheck reads a frame behind very many that only some readers refuse', () => {
  const odd = Array.from({ length: 3_000 }, (_, i) => frame(i + 1, 'stdin', 'x', { elapsedMs: -1 }));
  check([...odd, { ...frame(3_001, 'stdout', '{"email":"a@b.c"}\n'), extra: 1 }], ['recording_sensitive 3001 $.email'], { levels: ['publish'] });
});

test('TapeCheck shows a finding without its value', () => {
  const secret = 'sk-very-secret@example.org';
  const issues = issuesOf(stdout(`${JSON.stringify({ method: 'm', email: secret, apiKey: secret, path: `/${secret}`, [`/${secret}`]: { path: '/x' } })}\n`));
  expect(issues).toHaveLength(4);
  expect(JSON.stringify(issues)).not.toContain(secret);
});

test('TapeCheck hands on chunks, messages and bytes once and in order', () => {
  const seen: string[] = [];
  const report = (finding: object) => void seen.push(JSON.stringify(finding));
  const tape = new TapeCheck({
    report,
    findProvider: findDescriptor,
    bytes: ({ connectionId, kind, line }, data) => void seen.push(`bytes ${connectionId} ${kind} ${line} ${data.toString().trim()}`),
    sink: {
      chunk: ({ kind, data }, { offset, lineBytes }) => void seen.push(`chunk ${kind} ${offset}+${lineBytes} ${data.length}`),
      message: ({ kind, value, text }) => void seen.push(`message ${kind} ${JSON.stringify(value)} ${text.trim()}`),
    },
  });
  tape.manifest(parseJson(JSON.stringify({ schemaVersion: 4, projectionVersion: 1, status: 'complete', frameCount: 4, framesSha256: 'ab', connections: [connection(1)] })));
  const lines = [frame(1, 'outbound', '{"id":1.0}\n'), frame(2, 'stdout', '{"a":'), frame(3, 'stdout', '1}\n{"b":2}\n'), frame(4, 'stdin', 'x', { connectionId: 'other' })];
  lines.forEach((line, i) => tape.frame(Buffer.from(JSON.stringify(line)), i + 1, i * 1000));
  const lengths = lines.map((line) => JSON.stringify(line).length);
  expect(seen).toEqual([
    'bytes connection-1 outbound 1 {"id":1.0}',
    `chunk outbound 0+${lengths[0]} 11`,
    'message outbound {"id":1.0} {"id":1.0}',
    'bytes connection-1 stdout 2 {"a":',
    `chunk stdout 1000+${lengths[1]} 5`,
    'bytes connection-1 stdout 3 1}\n{"b":2}',
    `chunk stdout 2000+${lengths[2]} 11`,
    'message stdout {"a":1} {"a":1}',
    'message stdout {"b":2} {"b":2}',
    expect.stringContaining('frame_kind_unknown'),
    'bytes other unknown 4 x',
  ]);
});
