// A contract returns errors for any invalid input. It must never throw, which would cause an
// internal error: Zod runs refinements even on values that exceed their limits, as long as the type
// is right.

import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CONTRACTS = [
  '{graphql-api,ingest}/**/*.{contract,resource}.ts',
  'schema/values/{tail,text}.ts',
];
/** More than any list or record may contain, and deeper than unbounded recursion can handle. */
const MANY = 20_000;

type Schema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
};

type Size = 'none' | 'one' | 'many';

const modules = await Promise.all(
  (await Array.fromAsync(glob(CONTRACTS, { cwd: ROOT }))).map(
    async file => [file, await import(join(ROOT, file))] as const,
  ),
);
const contracts = modules.flatMap(([file, exported]) =>
  Object.entries(exported as Record<string, unknown>)
    .filter(([, value]) => value instanceof z.ZodType)
    .map(([name, value]) => [`${file} ${name}`, value as z.ZodType] as const),
);

test('contracts are found', () => {
  expect(contracts.length).toBeGreaterThan(100);
});

test.each(contracts)('%s has messages for invalid values of the right types', (_, contract) => {
  const schema = z.toJSONSchema(contract, { io: 'input', unrepresentable: 'any' }) as Schema;
  for (const size of ['none', 'one', 'many'] as const)
    for (const choice of [0, 1, 2, 3])
      expect(() => contract.safeParse(sampleOf(schema, size, choice))).not.toThrow();
});

/**
 * A value with the types of the schema that otherwise violates its limits as far as `size` allows.
 */
function sampleOf(schema: Schema, size: Size, choice: number): unknown {
  const { properties, items, const: fixed } = schema;
  if (fixed !== undefined) return fixed;
  if (schema.enum !== undefined) return schema.enum[choice % schema.enum.length];
  const ways = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (ways !== undefined) return sampleOf(ways[choice % ways.length]!, size, choice);
  switch (schema.type ?? '') {
    case 'string':
      return size === 'many' ? 'x'.repeat(MANY) : '';
    case 'integer':
    case 'number':
      return size === 'none' ? -1 : 1e15;
    case 'boolean':
      return choice % 2 === 0;
    case 'null':
      return null;
    case 'array': {
      const item = () => sampleOf(items ?? {}, size === 'many' ? 'one' : size, choice);
      return Array.from({ length: size === 'none' ? 0 : size === 'one' ? 1 : MANY }, item);
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, inner]) => [
          name,
          sampleOf(inner, size, choice),
        ]),
      );
    default:
      return size === 'none' ? {} : [{}];
  }
}
