import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentNode, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const CONSOLE = join(ROOT, 'console');
const SECTION = '## Only by API';

test('the console uses every operation of the API that its README doesn’t list as only by API', async () => {
  const [offered, used] = [await offeredOperations(), await usedOperations()];
  const expected = offered.filter(name => !used.has(name)).toSorted();
  expect((await listedOperations()).toSorted()).toEqual(expected);
});

/** The queries, mutations and subscriptions of the schema. */
async function offeredOperations(): Promise<string[]> {
  const schema = parse(await readFile(join(ROOT, 'graphql-api', 'schema.graphql'), 'utf8'));
  const roots = new Set(['Query', 'Mutation', 'Subscription']);
  return schema.definitions.flatMap(definition =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION && roots.has(definition.name.value)
      ? (definition.fields ?? []).map(({ name }) => name.value)
      : [],
  );
}

const DOCUMENT = /graphql\(\s*`([^`]+)`/g;

async function usedOperations(): Promise<ReadonlySet<string>> {
  const entries = await readdir(CONSOLE, { recursive: true, withFileTypes: true });
  const sources = entries.filter(
    ({ name, parentPath }) => /\.tsx?$/.test(name) && !parentPath.includes('dist'),
  );
  const used = new Set<string>();
  for (const { parentPath, name } of sources) {
    const source = await readFile(join(parentPath, name), 'utf8');
    for (const [, document = ''] of source.matchAll(DOCUMENT))
      for (const field of rootFields(parse(document))) used.add(field);
  }
  expect(used.size).toBeGreaterThan(100);
  return used;
}

function rootFields({ definitions }: DocumentNode): string[] {
  return definitions.flatMap(definition =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.flatMap(selection =>
          selection.kind === Kind.FIELD ? [selection.name.value] : [],
        )
      : [],
  );
}

/** The names in the first column of the table. */
async function listedOperations(): Promise<string[]> {
  const readme = await readFile(join(CONSOLE, 'README.md'), 'utf8');
  const section = readme.split(SECTION)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter(line => line.startsWith('| `'));
  return rows.flatMap(row =>
    [...row.split(' | ')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
}
