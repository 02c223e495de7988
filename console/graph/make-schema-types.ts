// The API's schema as types, for gql.tada: a query's answer has the type that its text says, so a
// field that the API loses fails the type check of the view that shows it.

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
