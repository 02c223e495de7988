// The committed module is the compiled form of its source. `npm run wasm` rebuilds it.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../../ingest/accept/scan');

test('module.wasm is up to date with its source', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'scan-module-'));
  try {
    const compiled = join(directory, 'module.wasm');
    const config = join(SOURCE, 'asconfig.json');
    const { error } = await asc.main(['--config', config, '--outFile', compiled]);
    expect(error).toBeNull();
    const committed = await readFile(join(SOURCE, 'module.wasm'));
    expect((await readFile(compiled)).equals(committed)).toBe(true);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
