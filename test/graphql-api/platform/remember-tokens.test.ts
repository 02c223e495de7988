import { expect, test } from 'vitest';
import { DEFAULT_AUDIENCE, DEFAULT_ISSUER } from '../../../graphql-api/app/auth-config.ts';
import { createVerifyToken, rememberTokens } from '../../../graphql-api/platform/verify-token.ts';
import { TEST_SECRET, tokenFor } from '../harness/tokens.ts';

const ORGANIZATION = '0198c1a2-0000-7000-8000-000000000001';

function remembering() {
  const clock = { ms: Date.now(), nowMs: () => clock.ms };
  const verify = createVerifyToken(
    {
      issuer: DEFAULT_ISSUER,
      audience: DEFAULT_AUDIENCE,
      keys: { kind: 'secret', secrets: [TEST_SECRET] },
      claims: { organization: 'org_id', roles: 'roles', workspace: 'workspace_id' },
      roles: new Map(),
    },
    clock,
  );
  let checks = 0;
  const counted = rememberTokens(token => {
    checks++;
    return verify(token);
  }, clock);
  return { clock, verify: counted, checks: () => checks };
}

test('a valid token is verified periodically', async () => {
  const { clock, verify, checks } = remembering();
  const token = await tokenFor(ORGANIZATION);
  const first = await verify(token);
  expect(first?.organizationId).toBe(ORGANIZATION);
  expect(await verify(token)).toEqual(first);
  expect(checks()).toBe(1);
  clock.ms += 31_000;
  await verify(token);
  expect(checks()).toBe(2);
});

test('no token is accepted after its expiry', async () => {
  const { clock, verify } = remembering();
  const token = await tokenFor(ORGANIZATION, { ttlSeconds: 10 });
  expect(await verify(token)).toBeDefined();
  clock.ms += 10_000;
  expect(await verify(token)).toBeUndefined();
});

test('a token that differs only in its signature is verified separately', async () => {
  const { verify } = remembering();
  const token = await tokenFor(ORGANIZATION);
  await verify(token);
  const other = await tokenFor(ORGANIZATION, { secret: 'another secret, which is long enough' });
  expect(await verify(other)).toBeUndefined();
  expect(await verify(`${token.split('.', 2).join('.')}.${other.split('.')[2]}`)).toBeUndefined();
});
