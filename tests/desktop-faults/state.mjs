/** Another expected state than the one that comes out, hashed again: the replay is red with the text of its last message. */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../alarms/tape.mjs';

export function damageState(folder, described) {
  const cassette = path.join(folder, 'cassettes/main');
  const state = path.join(cassette, 'expected-state.json');
  const document = JSON.parse(readFileSync(state, 'utf8'));
  const message = document.agent.sessions[0].messages.at(-1);
  message.payload.text = `\u001b[31m\u202e</script><script>alert(2)</script> ${message.payload.text}`;
  writeFileSync(state, `${JSON.stringify(document, null, 2)}\n`);
  const manifest = JSON.parse(readFileSync(path.join(cassette, 'cassette.json'), 'utf8'));
  const entry = manifest.files.find((file) => file.path === 'expected-state.json');
  manifest.totalBytes += statSync(state).size - entry.sizeBytes;
  Object.assign(entry, { sizeBytes: statSync(state).size, sha256: sha256(readFileSync(state)) });
  writeFileSync(path.join(cassette, 'cassette.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  described.cassettes[0].manifestSha256 = sha256(readFileSync(path.join(cassette, 'cassette.json')));
}
