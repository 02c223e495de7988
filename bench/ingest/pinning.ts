// Assigns processes to cores with `taskset`, if available: a server has the first core, and the load
// generator, ClickHouse and Postgres share the others.

import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export type Layout = {
  readonly server: string | undefined;
  readonly others: string | undefined;
  readonly words: string;
};

const CORES = availableParallelism();

/** The server has a core of its own. */
export function apart(): Layout {
  if (CORES < 2 || !hasTaskset())
    return { server: undefined, others: undefined, words: 'nothing is pinned' };
  const others = CORES === 2 ? '1' : `1-${CORES - 1}`;
  return {
    server: '0',
    others,
    words: `the server on core 0; the load, ClickHouse and Postgres on ${others}`,
  };
}

/** All processes share all cores, as with `npm start`. */
export function shared(): Layout {
  if (!hasTaskset()) return { server: undefined, others: undefined, words: 'nothing is pinned' };
  const all = `0-${CORES - 1}`;
  return { server: all, others: all, words: `all on cores ${all}` };
}

/** Pins all threads of a process, including those that it starts later. */
export function pin(pid: number, cores: string | undefined): void {
  if (cores === undefined) return;
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], {
    stdio: 'ignore',
  });
}

let found: boolean | undefined;

function hasTaskset(): boolean {
  if (found !== undefined) return found;
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    found = true;
  } catch {
    found = false;
  }
  return found;
}
