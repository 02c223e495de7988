// How tests start our programs. The hundreds of processes of a run would spend most of their
// startup on loading the same code, so types are stripped once, and V8's code cache is kept for the
// next process.

import { join } from 'node:path';

const STRIP_ONCE = new URL('strip-once.mjs', import.meta.url).href;

/** Command-line options for node. */
export const QUICK_START_ARGS: readonly string[] = ['--import', STRIP_ONCE];

/** The same as an environment variable, for a program that starts other node processes. */
export const QUICK_START_OPTIONS = `--import=${STRIP_ONCE}`;

export function quickStartEnvironment(
  runDirectory: string,
): Record<'NODE_COMPILE_CACHE' | 'TEST_STRIPPED_DIRECTORY', string> {
  return {
    NODE_COMPILE_CACHE: join(runDirectory, 'compile-cache'),
    TEST_STRIPPED_DIRECTORY: join(runDirectory, 'stripped'),
  };
}
