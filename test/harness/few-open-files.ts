// Loaded into a real process by `--import`: limits its open files and connections, as `ulimit -n`
// does.

import { execFileSync } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';

export const OPEN_FILES_VARIABLE = 'TEST_OPEN_FILES_MAX';

const max = process.env[OPEN_FILES_VARIABLE];

if (isMainThread && max !== undefined)
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${max}:${max}`]);
