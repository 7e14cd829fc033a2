// Where the pinned real Codex stands: the native program, without the npm launcher's extra process.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const triples = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

export function realCodex() {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(new URL('../tools/providers/package.json', import.meta.url));
  const manifest = require.resolve(`@openai/codex-${platform}/package.json`, { paths: [dirname(require.resolve('@openai/codex/package.json'))] });
  return join(dirname(manifest), 'vendor', triples[platform], 'bin', 'codex');
}
