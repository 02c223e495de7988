// npm run snippets: writes the snippets into docs/sdk-developers.md.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSnippets } from './docs-section.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs', 'sdk-developers.md');

await writeFile(DOCS, withSnippets(await readFile(DOCS, 'utf8')));
