// npm run openapi: writes ingest/openapi.json.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApiDocument } from './document.ts';

const path = join(import.meta.dirname, '..', 'openapi.json');
await writeFile(path, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
process.stdout.write('Wrote ingest/openapi.json.\n');
