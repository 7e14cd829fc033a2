/**
 * The damages of the tape. Each is tried twice: with the hash that case.json has (always `manifest_sha256_mismatch`), and
 * with case.json pinned to the damaged manifest, where `expected` holds. How a damage is made: see `writeTape`.
 */

const approve = 'chat-approve-command';
const turns = 'chat-two-turns';
const sessions = 'chat-two-sessions';

const isOf = (connectionId, chunkSeq) => (chunk) => chunk.connectionId === connectionId && chunk.chunkSeq === chunkSeq;
const indexOf = (chunks, chunkSeq) => chunks.findIndex(isOf('connection-1', chunkSeq));
const drop = (chunkSeq) => ({ edit: ({ chunks }) => void chunks.splice(indexOf(chunks, chunkSeq), 1) });
const exchange = (chunkSeq, from, to) => ({
  edit({ chunks }) {
    const chunk = chunks[indexOf(chunks, chunkSeq)];
    if (!chunk.text.includes(from)) throw new Error(`Cannot damage chunk ${chunkSeq}: it has no ${from}`);
    chunk.text = chunk.text.replace(from, to);
  },
});
const seal = (change) => ({ seal: change });
const manifest = (code, path) => `cassette/${code} at provider/manifest.json:1${path ? `, ${path}` : ''}`;
const frames = (code, line, path) => `cassette/${code} at provider/frames.jsonl:${line}${path ? `, ${path}` : ''}`;
const mismatch = (chunk, path) => `protocol/outbound_mismatch at connection-1, chunk ${chunk}, ${path}`;

export const tapeDamages = [
  { name: 'method-changed', base: approve, how: exchange(9, '"turn/start"', '"turn/begin"'), expected: mismatch(9, '$.method'), within: 'sent' },
  { name: 'first-outbound-dropped', base: turns, how: drop(1), expected: mismatch(5, '$.id'), within: 'sent' },
  { name: 'middle-outbound-dropped', base: turns, how: drop(7), expected: mismatch(8, '$.method'), within: 'sent' },
  { name: 'last-outbound-dropped', base: turns, how: drop(24), expected: 'protocol/outbound_extra at connection-1, chunk 36, $', within: 'sent' },
  { name: 'outbound-duplicated', base: turns, how: { edit: ({ chunks }) => void chunks.splice(indexOf(chunks, 9), 0, { ...chunks[indexOf(chunks, 9)] }) }, expected: 'protocol/outbound_missing at connection-1, chunk 10, $', within: 'missing' },
  { name: 'parameter-changed', base: turns, how: exchange(9, 'Name a colour', 'Name a color'), expected: mismatch(9, '$.params.input[0].text'), within: 'sent' },
  { name: 'decision-inverted', base: approve, how: exchange(21, '"accept"', '"decline"'), expected: mismatch(21, '$.result.decision'), within: 'sent' },
  { name: 'order-swapped', base: approve, how: { edit: ({ chunks }) => void chunks.splice(indexOf(chunks, 5), 2, chunks[indexOf(chunks, 6)], chunks[indexOf(chunks, 5)]) }, expected: mismatch(5, '$.id'), within: 'sent' },
  { name: 'connection-removed', base: sessions, how: { edit: (tape) => removeConnection(tape, 'connection-2') }, expected: 'transport/launch_unmatched, $.argv', within: 'sent' },
  { name: 'connection-removed-behind', base: sessions, spec: 'one-after-other', how: { edit: (tape) => removeConnection(tape, 'connection-2') }, expected: 'transport/launch_unmatched, $.argv', within: 'end' },
  { name: 'connection-unlisted', base: sessions, how: seal((m) => void m.connections.pop()), expected: frames('frame_connection_unknown', 2, '$.connectionId') },
  { name: 'connection-added', base: turns, how: { edit: addConnection }, expected: 'transport/connection_not_selected at connection-2, chunk 1', within: 'missing' },
  { name: 'ordinal-changed', base: sessions, how: seal((m) => void (m.connections[1].launchOrdinal = 3)), expected: manifest('stand_in_member_invalid', '$.connections[1].launchOrdinal') },
  { name: 'ordinal-repeated', base: sessions, how: seal((m) => void (m.connections[1].launchOrdinal = 1)), expected: manifest('connection_duplicate', '$.connections[1]') },
  { name: 'argv-changed', base: approve, how: seal((m) => void m.connections[0].argv.push('--strict')), expected: 'transport/launch_unmatched, $.argv', within: 'sent' },
  { name: 'provider-unknown', base: approve, how: seal((m) => void (m.connections[0].provider = 'scribe')), expected: manifest('provider_unknown', '$.connections[0].provider') },
  { name: 'origin-removed', base: approve, how: seal((m) => void delete m.connections[0].captureOrigin), expected: manifest('capture_origin_invalid', '$.connections[0].captureOrigin') },
  { name: 'frame-count-wrong', base: approve, how: seal((m) => void m.frameCount++), expected: 'cassette/frame_count_mismatch at provider/frames.jsonl:1' },
  { name: 'frames-hash-wrong', base: approve, how: seal((m) => void (m.framesSha256 = m.framesSha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))), expected: 'cassette/frames_sha256_mismatch at provider/frames.jsonl:1' },
  { name: 'global-gap', base: approve, how: { lines: (lines) => lines.slice(9).forEach((line) => line.globalSeq++) }, expected: frames('frame_order_invalid', 10, '$.globalSeq') },
  { name: 'chunk-gap', base: approve, how: { lines: (lines) => lines.slice(9).forEach((line) => line.chunkSeq++) }, expected: frames('chunk_order_invalid', 10, '$.chunkSeq') },
  { name: 'exit-moved', base: approve, how: { edit: ({ chunks }) => void chunks.splice(9, 0, chunks.pop()) }, expected: frames('chunk_after_exit', 11) },
  { name: 'turn-end-dropped', base: approve, how: drop(33), expected: 'cassette/turn_open at provider/frames.jsonl:1' },
  { name: 'resolution-dropped', base: approve, how: drop(22), expected: 'cassette/interaction_open at provider/frames.jsonl:1' },
  { name: 'frames-truncated', base: approve, how: { text: (text) => text.slice(0, -60) }, expected: frames('json_invalid', 34) },
  { name: 'status-incomplete', base: approve, how: seal((m) => void (m.status = 'incomplete')), expected: manifest('tape_incomplete', '$.status') },
  { name: 'schema-foreign', base: approve, how: seal((m) => void (m.schemaVersion = 5)), expected: manifest('tape_schema_unsupported', '$.schemaVersion') },
  { name: 'base64-halved', base: approve, how: { lines: (lines) => void (lines[9].data = lines[9].data.slice(0, (lines[9].data.length >> 1) | 1)) }, expected: frames('frame_data_invalid', 10, '$.data') },
];

/** Changed inbound text, which no layer of ours judges: the spec does, or nobody (stand-in b23). */
export const otherText = { base: approve, how: { edit: ({ chunks }) => chunks.forEach((chunk) => void (chunk.text = chunk.text.replaceAll('in place.', 'in a drawer.'))) } };

function removeConnection({ manifest: m, chunks }, connectionId) {
  m.connections = m.connections.filter((connection) => connection.connectionId !== connectionId);
  chunks.splice(0, chunks.length, ...chunks.filter((chunk) => chunk.connectionId !== connectionId));
}

function addConnection({ manifest: m, chunks }) {
  const [first] = m.connections;
  m.connections.push({ ...first, connectionId: 'connection-2', launchOrdinal: 2, cwdToken: first.cwdToken.replace(':1}', ':2}') });
  chunks.push(...chunks.map((chunk) => ({ ...chunk, connectionId: 'connection-2', text: chunk.text.replaceAll(first.cwdToken, first.cwdToken.replace(':1}', ':2}')) })));
}
