// Tokens of another issuer: keys from its discovery document, and claims and roles with other names.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIngest } from '../../harness/ingest-process.ts';
import { cardRow, INTERNAL_TOKEN, postInternal } from '../../harness/internal.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { type ApiProcess, startApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const ORG_CLAIM = 'https://example.com/org_id';
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

let issuer: string;
let provider: Server;
let isAway = true;
let api: ApiProcess;
let keys: Record<string, CryptoKey>;

beforeAll(async () => {
  const published: object[] = [];
  keys = {};
  for (const alg of ALGORITHMS) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    keys[alg] = privateKey;
    published.push({ ...(await exportJWK(publicKey)), kid: alg, alg });
  }
  provider = createServer((request, answer) => {
    if (isAway) return answer.writeHead(502).end();
    const document = { issuer, jwks_uri: `${issuer}keys` };
    const isDiscovery = request.url === '/.well-known/openid-configuration';
    return answer.end(JSON.stringify(isDiscovery ? document : { keys: published }));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  // With a slash at the end, as Auth0 has.
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
  api = await startApi({
    areRefusalsRepeated: false,
    env: {
      AUTH_JWT_SECRET: '',
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: 'https://api.example.com',
      AUTH_CLAIM_ORG: ORG_CLAIM,
      AUTH_CLAIM_ROLES: 'realm_access.roles',
      AUTH_ROLES: 'admin:owner, urn:example:staff:platform_admin',
    },
  });
});
afterAll(async () => {
  await api?.stop();
  provider?.closeAllConnections();
  provider?.close();
});

type Token = { alg?: string; roles?: unknown; claims?: Record<string, unknown> };

function sign({ organizationId }: Tenant, { alg = 'RS256', roles, claims = {} }: Token = {}) {
  return new SignJWT({
    [ORG_CLAIM]: organizationId,
    realm_access: { roles: roles ?? ['admin'] },
    ...claims,
  })
    .setProtectedHeader({ alg, kid: alg })
    .setSubject('auth0|1')
    .setIssuer(issuer)
    .setAudience('https://api.example.com')
    .setExpirationTime('60 s')
    .sign(keys[alg]!);
}

async function rolesOf(token: string) {
  const { status, data, text } = await api.graphql('{ viewer { roles } }', { token });
  return status === 200 ? (data?.viewer as { roles: string[] } | null)?.roles : [status, text];
}

test('the issuer’s document is fetched when it is there', async () => {
  const token = await sign(await createTenant());
  isAway = true;
  expect((await api.graphql('{ viewer { roles } }', { token })).status).toBe(503);
  isAway = false;
  expect(await rolesOf(token)).toEqual(['OWNER']);
});

test.each(ALGORITHMS)('a token signed with %s is accepted', async alg => {
  isAway = false;
  expect(await rolesOf(await sign(await createTenant(), { alg }))).toEqual(['OWNER']);
});

test('only mapped roles count, in an array or separated by spaces', async () => {
  isAway = false;
  const tenant = await createTenant();
  const both = ['OWNER', 'PLATFORM_ADMIN'];
  const roles = ['admin', 'urn:example:staff', 'other'];
  expect(await rolesOf(await sign(tenant, { roles }))).toEqual(both);
  expect(await rolesOf(await sign(tenant, { roles: roles.join(' ') }))).toEqual(both);
  const ours = await sign(tenant, { roles: ['platform_admin', 'owner'] });
  expect((await api.graphql('{ workspace { name } }', { token: ours })).text).toContain(
    'FORBIDDEN',
  );
});

test('a token without the claim of the organization is refused', async () => {
  isAway = false;
  const tenant = await createTenant();
  const claims = { [ORG_CLAIM]: undefined, org_id: tenant.organizationId };
  expect(await rolesOf(await sign(tenant, { claims }))).toMatchObject([401, expect.anything()]);
});

test('during a rotation, tokens of both shared secrets are accepted', async () => {
  const [now, before] = [
    'the new secret of a rotation, long',
    'the old secret of a rotation, long',
  ];
  const rotating = await startApi({
    env: { AUTH_JWT_SECRET: now, AUTH_JWT_SECRET_PREVIOUS: before },
  });
  try {
    const { organizationId } = await createTenant();
    const statuses = await Promise.all(
      [now, before, 'a secret that was never configured'].map(async secret => {
        const token = await tokenFor(organizationId, { secret });
        return (await rotating.graphql('{ __typename }', { token })).status;
      }),
    );
    expect(statuses).toEqual([200, 200, 401]);
  } finally {
    await rotating.stop();
  }
});

test('during a rotation, ingest accepts both internal tokens', async () => {
  const now = 'the-new-internal-token-of-a-rotation';
  const ingest = await startIngest({
    threads: 1,
    env: { INTERNAL_TOKEN: now, INTERNAL_TOKEN_PREVIOUS: INTERNAL_TOKEN },
  });
  try {
    const { workspaceId } = await createTenant();
    const body = { rows: [{ workspace_id: workspaceId, table: 'activity_cards', row: cardRow() }] };
    const statuses = await Promise.all(
      [now, INTERNAL_TOKEN, `${now}-wrong`].map(
        async token => (await postInternal(ingest.url, '/internal/rows', body, { token })).status,
      ),
    );
    expect(statuses.map(status => status === 401)).toEqual([false, false, true]);
  } finally {
    await ingest.stop();
  }
});
