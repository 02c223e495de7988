import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const CONSOLE = join(import.meta.dirname, '..', '..', 'console');
const STYLES = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/Button.css'));
const IMPORT = /import\s*\{([^}]*)\}\s*from '@mantine\/core'/g;

test('the styles of every part of the library that the console uses are loaded', async () => {
  const theme = await readFile(join(CONSOLE, 'theme', 'components.ts'), 'utf8');
  const styled = new Set(await readdir(STYLES));
  const missing = [...(await usedParts())].filter(
    name => styled.has(`${name}.css`) && !theme.includes(`/${name}.css'`),
  );
  expect(missing).toEqual([]);
});

async function usedParts(): Promise<Set<string>> {
  const entries = await readdir(CONSOLE, { recursive: true, withFileTypes: true });
  const sources = entries.filter(
    ({ name, parentPath }) => /\.tsx?$/.test(name) && !parentPath.includes('dist'),
  );
  const parts = new Set<string>();
  for (const { parentPath, name } of sources) {
    const source = await readFile(join(parentPath, name), 'utf8');
    for (const [, names = ''] of source.matchAll(IMPORT))
      for (const part of names.split(',')) parts.add(part.trim().split(' as ')[0]!);
  }
  expect(parts.size).toBeGreaterThan(20);
  return parts;
}
