// Loaded into a real process with `--import`. Limits its open files and connections, like `ulimit
// -n`.

import { execFileSync } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';

export const OPEN_FILES_VARIABLE = 'TEST_OPEN_FILES_MAX';

const max = process.env[OPEN_FILES_VARIABLE];

if (isMainThread && max !== undefined)
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${max}:${max}`]);
