import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { newDirectory } from '../harness/run-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECRET = 'a secret of the tests, which is long enough';
const run = promisify(execFile);

async function token(parameters: readonly string[], env: Record<string, string> = {}) {
  const dataDir = await newDirectory('token');
  const { stdout } = await run(process.execPath, ['embedded/token.ts', ...parameters], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, ...env },
  });
  return stdout.trim();
}

test('contains the given claims, for an hour', async () => {
  const [org, workspace] = [uuidv7(), uuidv7()];
  const text = await token(
    [
      '--org',
      org,
      '--workspace',
      workspace,
      '--role',
      'owner',
      '--role',
      'member',
      '--user',
      'ann',
    ],
    { AUTH_JWT_SECRET: SECRET },
  );
  const claims = decodeJwt(text);
  expect(claims).toMatchObject({
    sub: 'ann',
    org_id: org,
    workspace_id: workspace,
    roles: ['owner', 'member'],
  });
  expect(claims.exp! - claims.iat!).toBe(3_600);
});

test('is not created in production', async () => {
  const env = { AUTH_JWT_SECRET: SECRET, NODE_ENV: 'production' };
  await expect(token(['--org', uuidv7(), '--role', 'owner'], env)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('production'),
  });
});

test('needs a secret', async () => {
  await expect(token(['--org', uuidv7(), '--role', 'owner'])).rejects.toMatchObject({
    stderr: expect.stringContaining('Start the service once'),
  });
});

test.each([
  ['an organisation', ['--role', 'owner'], '--org'],
  ['a role', ['--org', uuidv7()], '--role'],
  ['a role that there is', ['--org', uuidv7(), '--role', 'root'], '--role'],
  ['a time', ['--org', uuidv7(), '--role', 'owner', '--ttl', 'x'], '--ttl'],
])('needs %s', async (_what, parameters, named) => {
  await expect(token(parameters, { AUTH_JWT_SECRET: SECRET })).rejects.toMatchObject({
    stderr: expect.stringContaining(named),
  });
});
