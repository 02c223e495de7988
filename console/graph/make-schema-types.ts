// The API's schema as types for gql.tada: the type of a result follows from the text of its query,
// so a field that is removed from the API fails the type check of the views that use it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const SCHEMA = join(import.meta.dirname, '..', '..', 'graphql-api', 'schema.graphql');
const SCHEMA_TYPES = join(import.meta.dirname, 'schema-types.d.ts');

export async function makeSchemaTypes(): Promise<void> {
  const schema = buildSchema(await readFile(SCHEMA, 'utf8'));
  const introspection = minifyIntrospection(
    introspectionFromSchema(schema, { descriptions: false }),
  );
  const types = outputIntrospectionFile(introspection, {
    fileType: '.d.ts',
    shouldPreprocess: true,
  });
  await writeFile(SCHEMA_TYPES, types);
}
