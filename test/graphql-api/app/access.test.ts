// Authentication over HTTP, which depends only on the token. The permissions of roles are tested
// with the graph.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_AUDIENCE, DEFAULT_ISSUER } from '../../../graphql-api/app/auth-config.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createSibling, createTenant, type Tenant } from '../../harness/tenant.ts';
import { startApi, useApi } from '../harness/api-process.ts';
import { TEST_SECRET, tokenFor } from '../harness/tokens.ts';

const api = useApi();
const PATH = '/api/v1/workspaces/current';
const VIEWER = '{ viewer { userId } }';

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
const SECRET = bytesOf(TEST_SECRET);

type Draft = {
  readonly header?: JWTHeaderParameters;
  /** `undefined` omits a claim. */
  readonly claims?: Record<string, unknown>;
  readonly key?: Uint8Array | CryptoKey;
};

/** A token that is valid except for these claims. */
function sign(tenant: Tenant, { header = { alg: 'HS256' }, claims = {}, key = SECRET }: Draft) {
  const right = {
    sub: 'ann',
    iss: DEFAULT_ISSUER,
    aud: DEFAULT_AUDIENCE,
    exp: secondsFromNow(300),
    org_id: tenant.organizationId,
    roles: ['owner'],
  };
  return new SignJWT({ ...right, ...claims }).setProtectedHeader(header).sign(key);
}

function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

async function statuses(token: string): Promise<number[]> {
  const rest = await api().rest(PATH, { token });
  const graph = await api().graphql(VIEWER, { token });
  if (graph.status !== 200) {
    expect(graph.errors?.[0]?.extensions).toMatchObject({
      code: 'UNAUTHENTICATED',
      requestId: expect.any(String),
    });
    expect(rest.headers['www-authenticate']).toBe('Bearer');
    expect(rest.json()).toEqual({ detail: expect.any(String) });
  }
  return [rest.status, graph.status];
}

test('a valid token is accepted', async () => {
  const tenant = await createTenant();
  const token = await sign(tenant, {});
  expect(await statuses(token)).toEqual([200, 200]);
});

describe('refused with 401', () => {
  const BAD: Record<string, (tenant: Tenant) => Promise<string>> = {
    'another secret': tenant => sign(tenant, { key: bytesOf('another secret, also long enough') }),
    'no signature (alg none)': async tenant => {
      const [, payload] = (await sign(tenant, {})).split('.');
      return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    },
    'another algorithm with the right secret': tenant => sign(tenant, { header: { alg: 'HS384' } }),
    'another issuer': tenant => sign(tenant, { claims: { iss: 'someone' } }),
    'another audience': tenant => sign(tenant, { claims: { aud: 'someone' } }),
    'a time that is over': tenant => sign(tenant, { claims: { exp: secondsFromNow(-60) } }),
    'a time that is to come': tenant => sign(tenant, { claims: { nbf: secondsFromNow(60) } }),
    'no expiry': tenant => sign(tenant, { claims: { exp: undefined } }),
    'no issuer': tenant => sign(tenant, { claims: { iss: undefined } }),
    'no audience': tenant => sign(tenant, { claims: { aud: undefined } }),
    'no subject': tenant => sign(tenant, { claims: { sub: undefined } }),
    'no organisation': tenant => sign(tenant, { claims: { org_id: undefined } }),
    'an organisation that is no id': tenant => sign(tenant, { claims: { org_id: "'; --" } }),
    'no roles': tenant => sign(tenant, { claims: { roles: undefined } }),
    'a changed payload': async tenant => {
      const token = await sign(tenant, {});
      const other = await sign(await createTenant(), {});
      const [header, , signature] = token.split('.');
      return [header, other.split('.')[1], signature].join('.');
    },
    'something that is no token': async () => 'sesame',
    nothing: async () => '',
    'far too much': async () => `${'a'.repeat(9_000)}.a.a`,
  };

  test.each(Object.keys(BAD))('%s', async name => {
    expect(await statuses(await BAD[name]!(await createTenant()))).toEqual([401, 401]);
  });

  test('a scheme that is not Bearer', async () => {
    const headers = { authorization: 'Basic YTpi' };
    expect((await api().rest(PATH, { headers })).status).toBe(401);
  });

  test('no token, where one is required', async () => {
    expect((await api().rest(PATH)).status).toBe(401);
    const { data, errors } = await api().graphql(VIEWER);
    expect(data?.viewer ?? null).toBeNull();
    expect(errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });
});

test('an unknown role grants no permissions', async () => {
  const tenant = await createTenant();
  const token = await sign(tenant, { claims: { roles: ['root'] } });
  expect((await api().rest(PATH, { token })).status).toBe(403);
});

describe('the workspace', () => {
  async function current(token: string, workspaceId?: string) {
    const headers = workspaceId === undefined ? {} : { 'X-Workspace-ID': workspaceId };
    const answer = await api().rest(PATH, { token, headers });
    return answer.status === 200 ? idIn(answer.text) : answer.status;
  }

  function idIn(text: string): string | undefined {
    return /"id":\s*"([0-9a-f-]{36})"/.exec(text)?.[1];
  }

  test('defaults to the organization’s only one', async () => {
    const tenant = await createTenant();
    expect(await current(await tokenFor(tenant.organizationId))).toBe(tenant.workspaceId);
  });

  test('must be specified if there are several', async () => {
    const tenant = await createTenant();
    const sibling = await createSibling(tenant);
    const token = await tokenFor(tenant.organizationId);
    expect(await current(token)).toBe(400);
    expect(await current(token, sibling.workspaceId)).toBe(sibling.workspaceId);
    expect(await current(token, tenant.workspaceId.toUpperCase())).toBe(tenant.workspaceId);
    const globalId = encodeNodeId('Workspace', sibling.workspaceId);
    expect(await current(token, globalId)).toBe(sibling.workspaceId);
    expect(await current(token, encodeNodeId('Campaign', sibling.workspaceId))).toBe(403);
  });

  test('of the token applies, and a different one in the header is refused', async () => {
    const tenant = await createTenant();
    const { workspaceId } = await createSibling(tenant);
    const token = await tokenFor(tenant.organizationId, { workspaceId });
    expect(await current(token)).toBe(workspaceId);
    expect(await current(token, workspaceId)).toBe(workspaceId);
    expect(await current(token, tenant.workspaceId)).toBe(403);
  });

  test('of another organization is treated like one that does not exist', async () => {
    const [mine, other] = [await createTenant(), await createTenant()];
    const token = await tokenFor(mine.organizationId);
    const headers = (id: string) => ({ token, headers: { 'X-Workspace-ID': id } });
    const foreign = await api().rest(PATH, headers(other.workspaceId));
    const unknown = await api().rest(PATH, headers(uuidv7()));
    expect(foreign.status).toBe(403);
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
    expect(await current(token, 'not-an-id')).toBe(403);
    const { organizationId } = mine;
    const { workspaceId } = other;
    expect(await current(await tokenFor(organizationId, { workspaceId }))).toBe(403);
  });
});

test('while the issuer’s keys are unavailable, requests get a retryable error', async () => {
  const issuer = createServer((_, answer) => answer.writeHead(502).end()).listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  const { port } = issuer.address() as AddressInfo;
  const AUTH_JWKS_URL = `http://127.0.0.1:${port}/keys`;
  const away = await startApi({
    areRefusalsRepeated: false,
    env: { AUTH_JWT_SECRET: '', AUTH_JWKS_URL },
  });
  onTestFinished(() => void away.stop());
  const { privateKey } = await generateKeyPair('ES256');
  const header = { alg: 'ES256', kid: 'one' };
  const token = await sign(await createTenant(), { header, key: privateKey });
  expect((await away.rest(PATH, { token })).status).toBe(503);
  issuer.closeAllConnections();
  issuer.close();
  await once(issuer, 'close');
  expect((await away.rest(PATH, { token })).status).toBe(503);
});

describe('with the issuer’s public keys', () => {
  let jwks: ReturnType<typeof createServer>;
  let keyed: Awaited<ReturnType<typeof startApi>>;
  let pair: Awaited<ReturnType<typeof generateKeyPair>>;

  beforeAll(async () => {
    pair = await generateKeyPair('ES256');
    const key = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' };
    jwks = createServer((_, answer) => answer.end(JSON.stringify({ keys: [key] })));
    await new Promise<void>(resolve => jwks.listen(0, '127.0.0.1', resolve));
    const { port } = jwks.address() as AddressInfo;
    keyed = await startApi({
      env: { AUTH_JWT_SECRET: '', AUTH_JWKS_URL: `http://127.0.0.1:${port}/keys` },
    });
  });
  afterAll(async () => {
    await keyed?.stop();
    jwks?.closeAllConnections();
    jwks?.close();
  });

  test('a token signed with them is accepted', async () => {
    const token = await sign(await createTenant(), {
      header: { alg: 'ES256', kid: 'one' },
      key: pair.privateKey,
    });
    expect((await keyed.rest(PATH, { token })).status).toBe(200);
  });

  test('the public key is not accepted as a shared secret', async () => {
    const published = JSON.stringify(await exportJWK(pair.publicKey));
    const token = await sign(await createTenant(), {
      header: { alg: 'HS256', kid: 'one' },
      key: bytesOf(published),
    });
    expect((await keyed.rest(PATH, { token })).status).toBe(401);
  });

  test('a token signed with another key is refused', async () => {
    const other = await generateKeyPair('ES256');
    for (const kid of ['one', 'two']) {
      const token = await sign(await createTenant(), {
        header: { alg: 'ES256', kid },
        key: other.privateKey,
      });
      expect((await keyed.rest(PATH, { token })).status).toBe(401);
    }
  });
});
