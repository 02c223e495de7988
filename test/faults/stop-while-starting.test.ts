// An orchestrator may send SIGTERM at any point of a start. The process must exit cleanly, without
// an abort of the runtime, and the next start must get the lock of the spool.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { QUICK_START_ARGS, quickStartEnvironment } from '../harness/quick-start.ts';
import { createRandom } from '../harness/random.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { RUN_DIRECTORY_VARIABLE } from '../harness/run-directory-variable.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const STARTS = process.env.TEST_LONG ? 100 : 6;
/** Per start, the time that a start and a stop take on a busy machine. */
const TIMEOUT_MS = (STARTS + 2) * 75_000;
const SEED = 20_261_122;
const STOP_TIMEOUT_MS = 30_000;

type Started = { readonly child: ChildProcess; readonly log: () => string };

function start(dataDirectory: string): Started {
  const child = fork(join(ROOT, 'ingest', 'main.ts'), [], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      [RUN_DIRECTORY_VARIABLE]: inject('runDirectory'),
      ...quickStartEnvironment(inject('runDirectory')),
      DATA_DIR: dataDirectory,
      INGEST_PORT: '0',
      INGEST_THREADS: '2',
      DATABASE_SYSTEM_URL: inject('databaseUrls').system,
      CLICKHOUSE_URL: inject('clickhouseUrl'),
    },
    execArgv: [...QUICK_START_ARGS],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (bytes: Buffer) => lines.push(bytes.toString()));
  return { child, log: () => lines.join('') };
}

/** Sends SIGTERM and returns the exit code or signal. */
async function stop({ child }: Started): Promise<unknown> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  const [code, signal] = (await ended) as [number | null, string | null];
  clearTimeout(late);
  return code ?? signal;
}

test('exits cleanly on a SIGTERM at any time', { timeout: TIMEOUT_MS }, async () => {
  const dataDirectory = await newDirectory('ingest');
  const whole = start(dataDirectory);
  const beganAtMs = performance.now();
  await once(whole.child, 'message');
  const startMs = performance.now() - beganAtMs;
  expect(await stop(whole), whole.log()).toBe(0);

  const random = createRandom(SEED);
  for (let at = 0; at < STARTS; at++) {
    const afterMs = (startMs * (30 + random.below(80))) / 100;
    const started = start(dataDirectory);
    await wait(afterMs);
    const how = `told after ${afterMs.toFixed()} of ${startMs.toFixed()} ms:\n${started.log()}`;
    const ended = await stop(started);
    // The default action of SIGTERM applies until the program has installed its signal handler.
    expect([0, 'SIGTERM'], `${how}\n${started.log()}`).toContain(ended);
    expect(started.log(), how).not.toContain('open handles');
  }
});

/** Enough to keep a thread busy for a while. */
const FILES_LEFT = 8_000;

test('exits cleanly while one thread serves and the other still recovers its log', {
  timeout: TIMEOUT_MS,
}, async () => {
  const dataDirectory = await newDirectory('ingest');
  const spool = join(dataDirectory, 'ingest', 'spool', 'default');
  await mkdir(join(spool, '1'), { recursive: true });
  for (let sequence = 1; sequence <= FILES_LEFT; sequence++)
    await writeFile(join(spool, '1', `${String(sequence).padStart(12, '0')}.segment`), '');
  const started = start(dataDirectory);
  await eventually(async () => expect(await readdir(join(spool, '0'))).not.toEqual([]), {
    intervalMs: 5,
  });
  const ended = await stop(started);
  expect(ended, started.log()).toBe(0);
});
