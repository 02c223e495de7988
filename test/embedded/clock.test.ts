import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { readConfig as readApiConfig } from '../../graphql-api/app/config.ts';
import { readConfig as readIngestConfig } from '../../ingest/config.ts';
import { serviceTime } from '../../schema/environment/service-time.ts';
import { newDirectory } from '../harness/run-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DAY_MS = 24 * 60 * 60 * 1000;

const clock = (dataDir: string, words: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, ['embedded/clock.ts', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
  });

test('npm run clock only goes forward, accumulates, and survives restarts', async () => {
  const dataDir = await newDirectory('clock');
  expect((await clock(dataDir, [])).stdout).toMatch(/^\S+Z \(the machine’s clock\)\n$/);
  await clock(dataDir, ['+30d']);
  const { stdout } = await clock(dataDir, ['+26h']);
  expect(stdout).toMatch(/^\S+Z \(31d 2h ahead of the machine’s clock\)\n$/);
  const shownMs = Date.parse(stdout.split(' ', 1)[0]!);
  expect(shownMs - Date.now()).toBeGreaterThan(31 * DAY_MS);
  expect((await clock(dataDir, [])).stdout).toContain('(31d 2h ahead');
});

test.each(['-1d', '1d', '+1y', '+d', '+99999d', '2027-01-01'])(
  'npm run clock refuses %s, and changes nothing',
  async word => {
    const dataDir = await newDirectory('clock');
    await expect(clock(dataDir, ['--', word])).rejects.toMatchObject({ code: 1 });
    await expect(readFile(join(dataDir, 'clock.json'))).rejects.toThrow('ENOENT');
  },
);

test('the clock cannot be set in production', async () => {
  const dataDir = await newDirectory('clock');
  await expect(clock(dataDir, ['+1d'], { NODE_ENV: 'production' })).rejects.toMatchObject({
    stderr: 'clock: In production, the service uses the machine’s clock.\n',
  });
  const env = { NODE_ENV: 'production', CLOCK_FILE: join(dataDir, 'clock.json') };
  const refused = /CLOCK_FILE: is not allowed in production/;
  expect(() => readApiConfig(env)).toThrow(refused);
  expect(() => readIngestConfig(env)).toThrow(refused);
});

test('a process follows the file, and never goes back', async () => {
  const file = join(await newDirectory('clock'), 'clock.json');
  const nowMs = serviceTime(file);
  const aheadDays = () => Math.round((nowMs() - Date.now()) / DAY_MS);
  const untilDays = (days: number) => vi.waitFor(() => expect(aheadDays()).toBe(days));
  await untilDays(0);
  await writeFile(file, JSON.stringify({ aheadMs: 31 * DAY_MS }));
  await untilDays(31);
  await writeFile(file, JSON.stringify({ aheadMs: 40 * DAY_MS }));
  await untilDays(40);
  await rm(file);
  const others = serviceTime(file);
  expect(Math.round((others() - Date.now()) / DAY_MS)).toBe(0);
  await vi.waitFor(() => expect(aheadDays()).toBe(40));
});
