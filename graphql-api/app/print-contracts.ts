// Writes the public contracts, schema.graphql and openapi.json. A test checks that they are current.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedSchema } from './graph.ts';
import { printedOpenApi } from './rest.ts';

writeFileSync(join(import.meta.dirname, '..', 'schema.graphql'), printedSchema());
writeFileSync(join(import.meta.dirname, '..', 'openapi.json'), printedOpenApi());
