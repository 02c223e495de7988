import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { FromGenerator, LoadOptions, LoadReport, LoadRun, ToGenerator } from './generator.ts';
import { pin } from './pinning.ts';

export type Load = {
  readonly pid: number;
  readonly eventBytes: number;
  readonly bodyBytes: number;
  readonly run: (run: LoadRun) => Promise<LoadReport>;
  readonly stop: () => void;
};

/** Prepares the requests and opens the connections; nothing is sent before `run`. */
export async function startLoad(
  options: LoadOptions,
  cores: string | undefined,
  signal: AbortSignal,
): Promise<Load> {
  signal.throwIfAborted();
  const child = fork(join(import.meta.dirname, 'generator.ts'), [], {
    env: { PATH: process.env.PATH },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In its own process group, so that Ctrl-C in the terminal only reaches the benchmark, which
    // then ends it.
    detached: true,
    signal,
    killSignal: 'SIGKILL',
  });
  // The exit event reports the abort as well.
  child.on('error', () => undefined);
  const ask = async (message: ToGenerator): Promise<FromGenerator> => {
    const answer = nextMessage(child);
    child.send(message);
    return answer;
  };
  pin(child.pid!, cores);
  const prepared = await ask({ kind: 'prepare', options });
  if (prepared.kind !== 'prepared') throw new Error('The load generator was not prepared.');
  const { eventBytes, bodyBytes } = prepared;
  return {
    pid: child.pid!,
    eventBytes,
    bodyBytes,
    run: async run => {
      const done = await ask({ kind: 'run', run });
      if (done.kind !== 'done') throw new Error('The load generator did not run.');
      return done.report;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

function nextMessage(child: ChildProcess): Promise<FromGenerator> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      child.off('message', onMessage).off('exit', onExit);
      end();
    };
    const onMessage = (message: unknown) => settle(() => resolve(message as FromGenerator));
    const onExit = () =>
      settle(() => reject(new Error('The load generator exited before its report.')));
    child.on('message', onMessage).on('exit', onExit);
  });
}
