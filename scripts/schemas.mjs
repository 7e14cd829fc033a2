// Writes schemas/*.schema.json and src/core/schema/validators.js from scripts/schemas; a unit test compares.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './schemas/documents.ts';

const root = new URL('../', import.meta.url);
const files = generatedFiles();

for (const name of readdirSync(new URL('schemas/', root))) if (!(`schemas/${name}` in files)) rmSync(new URL(`schemas/${name}`, root));
for (const [path, content] of Object.entries(files)) writeFileSync(new URL(path, root), content);
