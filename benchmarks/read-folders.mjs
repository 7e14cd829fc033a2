// The least that a validator of these folders must do: read each file, hash it, and parse what is JSON.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.'] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const bytes = readFileSync(join(entry.parentPath, entry.name));
  createHash('sha256').update(bytes).digest('hex');
  if (entry.name.endsWith('.json')) JSON.parse(bytes.toString());
  if (entry.name.endsWith('.jsonl')) for (const line of bytes.toString().split('\n')) if (line !== '') JSON.parse(line);
}
