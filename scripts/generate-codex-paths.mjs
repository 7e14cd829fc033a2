// Writes src/providers/codex/path-fields.json from the pinned CLI's own types (stand-in b5). Run after moving the pin.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realCodex } from './real-codex.mjs';

const folder = mkdtempSync('/var/tmp/playhead-types-');
try {
  const codex = realCodex();
  const env = { PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder };
  execFileSync(codex, ['app-server', 'generate-ts', '--out', join(folder, 'ts')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const version = execFileSync(codex, ['--version'], { env }).toString().trim().split(' ').pop();
  const names = new Set(['file']);
  for (const file of readdirSync(join(folder, 'ts'), { recursive: true })) {
    if (!String(file).endsWith('.ts')) continue;
    const text = readFileSync(join(folder, 'ts', String(file)), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, name] of text.matchAll(/"?(\w+)"?\??: ?(?:Array<|\{ ?\[key in string\]\?: )?(?:AbsolutePathBuf|LegacyAppPathString|PathUri)\b/g))
      names.add(name);
  }
  const data = { provider: 'codex', version, names: [...names].sort() };
  writeFileSync(new URL('../src/providers/codex/path-fields.json', import.meta.url), `${JSON.stringify(data, null, 2)}\n`);
  console.log(`${data.names.length} path members of codex ${version}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
