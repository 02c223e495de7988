// How tests start our programs. Most of the start of the hundreds of processes in a run is spent on
// loading the same code: its types are stripped once, and V8's code cache is kept for the next
// process.

import { join } from 'node:path';

const STRIP_ONCE = new URL('strip-once.mjs', import.meta.url).href;

/** Options of node itself. */
export const QUICK_START_ARGS: readonly string[] = ['--import', STRIP_ONCE];

/** The same for a program that starts others: they get their options by the environment. */
export const QUICK_START_OPTIONS = `--import=${STRIP_ONCE}`;

export function quickStartEnvironment(
  runDirectory: string,
): Record<'NODE_COMPILE_CACHE' | 'TEST_STRIPPED_DIRECTORY', string> {
  return {
    NODE_COMPILE_CACHE: join(runDirectory, 'compile-cache'),
    TEST_STRIPPED_DIRECTORY: join(runDirectory, 'stripped'),
  };
}
