// deploy/haproxy.cfg, checked by HAProxy if it is installed.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT_PATHS } from '../../ingest/compatible/paths.ts';
import { hasProgram } from '../harness/nginx.ts';

const FILE = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy.cfg');

test.skipIf(!hasProgram('haproxy'))('HAProxy accepts the configuration', () => {
  expect(() => execFileSync('haproxy', ['-c', '-q', '-f', FILE])).not.toThrow();
});

test('the paths of other vendors’ clients are those of the front', async () => {
  const [, expression] = /path_reg (\S+)/.exec(await readFile(FILE, 'utf8'))!;
  expect(new RegExp(expression!).source).toBe(ROOT_PATHS.source);
});
