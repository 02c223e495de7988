// The public contracts: printed, committed, described, and covered by access rules.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import SchemaBuilder from '@pothos/core';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { printedSchema, schema } from '../../../graphql-api/app/graph.ts';
import { printedOpenApi } from '../../../graphql-api/app/rest.ts';
import { placesWithoutRule } from '../../../graphql-api/platform/graph/access-rules.ts';

const API = join(import.meta.dirname, '..', '..', '..', 'graphql-api');

describe('drift (npm run schema prints both)', () => {
  test('schema.graphql is what the server serves', async () => {
    expect(await readFile(join(API, 'schema.graphql'), 'utf8')).toBe(printedSchema());
  });

  test('openapi.json is what the server serves', async () => {
    expect(await readFile(join(API, 'openapi.json'), 'utf8')).toBe(printedOpenApi());
  });
});

describe('descriptions', () => {
  test('every type, field, argument, input and value has one', () => {
    expect(undescribed()).toEqual([]);
  });

  test('every REST operation has a summary and examples of its request and response', () => {
    const document = JSON.parse(printedOpenApi()) as OpenApi;
    const faults = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { summary, responses, requestBody }]) => {
        const contents = [requestBody, responses['200'] ?? responses['201']];
        const hasExamples = contents.every(
          content =>
            content === undefined || withReferences(document, content).includes('"example'),
        );
        return summary && hasExamples ? [] : [`${method} ${path}`];
      }),
    );
    expect(faults).toEqual([]);
  });
});

describe('access rules', () => {
  test('every type and root field has an access rule', () => {
    expect(placesWithoutRule(schema)).toEqual([]);
  });

  test('a missing or empty rule is detected, on a type and on a root field', () => {
    const builder = new SchemaBuilder<{ AuthScopes: { member: boolean } }>({
      plugins: [ScopeAuthPlugin],
      scopeAuth: { authScopes: () => ({ member: false }) },
    });
    const Open = builder.objectRef<object>('Open').implement({
      fields: t => ({ name: t.string({ resolve: () => '' }) }),
    });
    builder.queryType({
      authScopes: { member: true },
      fields: t => ({
        guarded: t.field({ type: Open, authScopes: { member: true }, resolve: () => ({}) }),
        open: t.string({ resolve: () => '' }),
        empty: t.string({ authScopes: {}, resolve: () => '' }),
      }),
    });
    const places = placesWithoutRule(builder.toSchema());
    expect(places.toSorted()).toEqual(['Open', 'Query.empty', 'Query.open']);
  });
});

function undescribed(): string[] {
  const places: string[] = [];
  const check = (place: string, { description }: { description?: string | null | undefined }) => {
    if (!description?.trim()) places.push(place);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    check(type.name, type);
    if (isEnumType(type))
      for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field);
      for (const arg of 'args' in field ? field.args : [])
        check(`${type.name}.${field.name}(${arg.name})`, arg);
    }
  }
  for (const directive of schema.getDirectives()) check(`@${directive.name}`, directive);
  return places;
}

type Operation = {
  readonly summary?: string;
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
};
type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};

function withReferences({ components }: OpenApi, content: unknown): string {
  const text = JSON.stringify(content);
  const names = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(match => match[1]!);
  return text + names.map(name => JSON.stringify(components.schemas[name])).join('');
}
