import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ChildRecord } from '../../embedded/leftovers.ts';
import { newDirectory } from '../harness/run-directory.ts';

const processes: ChildProcess[] = [];
afterAll(() => {
  for (const child of processes) child.kill('SIGKILL');
});

async function sleeper(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60_000)']);
  processes.push(child);
  await once(child, 'spawn');
  return child as ChildProcess & { pid: number };
}

test('kills the recorded child process', async () => {
  const dataDir = await newDirectory('leftovers');
  const child = await sleeper();
  await new ChildRecord(dataDir).add('ingest', child.pid);
  const exited = once(child, 'exit');
  await new ChildRecord(dataDir).stopLeftovers();
  expect((await exited)[1]).toBe('SIGTERM');
});

test('spares a later process with the same pid and the same command line', async () => {
  const dataDir = await newDirectory('leftovers');
  const other = await sleeper();
  await new ChildRecord(dataDir).add('ingest', other.pid);
  const file = join(dataDir, 'children.json');
  const record = JSON.parse(await readFile(file, 'utf8')) as { ingest: { startedAt: string } };
  expect(record.ingest.startedAt).toMatch(/\d/);
  record.ingest.startedAt = record.ingest.startedAt.replace(/\d/, digit => String(9 - +digit));
  await writeFile(file, JSON.stringify(record));
  await new ChildRecord(dataDir).stopLeftovers();
  expect(other.exitCode ?? other.signalCode).toBeNull();
});
