// Writes what clients are promised: schema.graphql and openapi.json. A test compares them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedSchema } from './graph/schema.ts';
import { printedOpenApi } from './rest/routes.ts';

writeFileSync(join(import.meta.dirname, 'schema.graphql'), printedSchema());
writeFileSync(join(import.meta.dirname, 'openapi.json'), printedOpenApi());
