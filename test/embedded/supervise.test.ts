import { join } from 'node:path';
import pino from 'pino';
import { afterAll, expect, test } from 'vitest';
import { type RunningChild, startChild } from '../../embedded/child.ts';
import { isAlive } from '../../embedded/processes.ts';
import { restartPauseMs, supervise } from '../../embedded/supervise.ts';
import { eventually } from '../harness/eventually.ts';
import { leftovers } from '../harness/leftovers.ts';
import { newDirectory } from '../harness/run-directory.ts';

const log = pino({ enabled: false });
const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

async function superviseProgram(
  env: Record<string, string> = {},
  restartEnv: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const pids: number[] = [];
  /** While positive, starts fail. */
  const failures = { left: 0 };
  const part = await supervise<RunningChild>({
    name: 'program',
    log,
    onStart: ({ pid }) => void pids.push(pid),
    ...(signal ? { signal } : {}),
    start: async (previous, onExit, startSignal) => {
      if (failures.left-- > 0) throw new Error('not now');
      return startChild({
        name: 'program',
        module: join(import.meta.dirname, 'listening-program.ts'),
        env: {
          ...process.env,
          PART_PORT: String(previous?.port ?? 0),
          ...env,
          ...(previous && restartEnv),
        },
        stopTimeoutMs: 1_000,
        onExit,
        signal: startSignal,
      });
    },
  });
  cleanUps.push(() => part.stop());
  return { part, pids, failures };
}

async function pidAt(port: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/`)).text());
}

test.concurrent('restarts a killed part on its port, each time', async () => {
  const { part, pids } = await superviseProgram();
  const { port } = part.current();
  for (const round of [1, 2]) {
    process.kill(part.current().pid, 'SIGKILL');
    await eventually(() => expect(pids).toHaveLength(round + 1));
    expect(await pidAt(port)).toBe(pids.at(-1));
    expect(part.current()).toMatchObject({ port, pid: pids.at(-1) });
  }
});

test.concurrent('keeps trying while a part cannot be started', async () => {
  const { part, pids, failures } = await superviseProgram();
  failures.left = 3;
  process.kill(part.current().pid, 'SIGKILL');
  await eventually(() => expect(pids).toHaveLength(2));
  expect(failures.left).toBeLessThan(0);
  expect(await pidAt(part.current().port)).toBe(pids[1]);
});

test.concurrent('leaves no process when it stops, even of a part that ignores SIGTERM', async () => {
  const { part, pids } = await superviseProgram({ IGNORE_SIGTERM: '1' });
  const { pid } = part.current();
  await part.stop();
  expect(isAlive(pid)).toBe(false);
  expect(pids).toEqual([pid]);
});

test.concurrent.each(['stop', 'kill'] as const)(
  '%s interrupts a restart in progress',
  async how => {
    const mark = await newDirectory('supervise');
    const { part } = await superviseProgram({ MARK: mark }, { PART_NEVER_LISTENS: '1' });
    const { pid } = part.current();
    process.kill(pid, 'SIGKILL');
    await eventually(() => {
      const pids = leftovers(mark).map(left => left.pid);
      expect(pids.filter(other => other !== pid)).toHaveLength(1);
    });
    await part[how]();
    await eventually(() => expect(leftovers(mark)).toEqual([]));
  },
);

test.concurrent('an aborted first start ends with all its processes', async () => {
  const mark = await newDirectory('supervise');
  const unwanted = new AbortController();
  const env = { MARK: mark, PART_NEVER_LISTENS: '1' };
  const starting = superviseProgram(env, {}, unwanted.signal);
  const refused = expect(starting).rejects.toThrow('exited before it was ready (SIGKILL)');
  await eventually(() => expect(leftovers(mark)).toHaveLength(1));
  unwanted.abort();
  await refused;
  expect(leftovers(mark)).toEqual([]);
});

test.concurrent('keeps parts out of the process group that Ctrl-C reaches', async () => {
  const { part } = await superviseProgram();
  // Throws unless the process leads its own process group.
  expect(() => process.kill(-part.current().pid, 0)).not.toThrow();
});

test.concurrent('a failure of the first start is thrown', async () => {
  const started = superviseProgram({ NODE_OPTIONS: '--no-such-option' });
  await expect(started).rejects.toThrow('program exited before it was ready (exit code 9)');
});

test('waits longer after each crash, up to ten seconds', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000_000].map(restartPauseMs);
  expect(pauses).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
});
