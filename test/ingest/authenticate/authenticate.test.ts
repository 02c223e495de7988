import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authenticate } from '../../../ingest/authenticate/authenticate.ts';
import { directoryDataSchema } from '../../../ingest/authenticate/directory-data.ts';
import type { TenantClaims } from '../../../ingest/authenticate/tenant-headers.ts';
import { uuidToRowBinary } from '../../../schema/values/uuid-bytes.ts';
import * as ids from './accounts.ts';
import { buildDirectory } from './build-directory.ts';

const SHOP = 'https://shop.example';
const directory = buildDirectory(
  ids.directoryData({ origins: [SHOP] }, { origins: ['https://other.example'] }),
);
const own = { writeKey: 'key-of-one-tenant', origin: SHOP, claims: {} };

describe('a write key', () => {
  test('authenticates its workspace', () => {
    const { account } = authenticate(directory, own);
    expect(account).toMatchObject({
      keyId: ids.KEY,
      workspaceId: ids.WORKSPACE,
      organizationId: ids.ORGANIZATION,
      cell: { slug: 'default', isEnabled: true },
      propertyIds: new Set([ids.PROPERTY]),
      limits: [],
    });
    expect(account?.keyIdBytes).toEqual(uuidToRowBinary(ids.KEY));
    expect(account?.workspaceIdBytes).toEqual(uuidToRowBinary(ids.WORKSPACE));
    expect(authenticate(directory, own).account).toBe(account);
  });

  test.each([
    [undefined, false],
    ['CONTRACT', false],
    ['COMPATIBLE', true],
  ] as const)(
    'that accepts %s; snapshots of earlier versions do not contain this setting',
    (accepts, expected) => {
      const { sdkKeys, ...data } = ids.directoryData(accepts === undefined ? {} : { accepts });
      const read = directoryDataSchema.parse(JSON.parse(JSON.stringify({ ...data, sdkKeys })));
      const { account } = authenticate(buildDirectory(read), own);
      expect(account?.isCompatible).toBe(expected);
    },
  );

  test.each([undefined, '', 'unknown', 'KEY-OF-ONE-TENANT', '__proto__', 'constructor'])(
    '%j is unknown',
    writeKey => {
      expect(authenticate(directory, { ...own, writeKey })).toMatchObject({
        problem: { code: 'INVALID_WRITE_KEY' },
        isCorsAllowed: true,
      });
    },
  );

  test('that is unknown gets an error readable only by pages of known keys', () => {
    const stranger = { writeKey: 'unknown', origin: 'https://stranger.example', claims: {} };
    expect(authenticate(directory, stranger)).toMatchObject({ isCorsAllowed: false });
  });

  test('of a row without a workspace is unknown', () => {
    const data = { ...ids.directoryData(), workspaces: [] };
    expect(buildDirectory(data).accountOf('key-of-one-tenant')).toBeUndefined();
  });
});

test('an origin that only another key lists passes the preflight, not the request', () => {
  expect(directory.isOriginAllowedBySomeKey('https://other.example')).toBe(true);
  expect(directory.isOriginAllowedBySomeKey('https://stranger.example')).toBe(false);
  expect(authenticate(directory, { ...own, origin: 'https://other.example' })).toMatchObject({
    problem: { code: 'ORIGIN_NOT_ALLOWED' },
    isCorsAllowed: false,
  });
});

test('the origin is checked before the claims', () => {
  const claims = { organizationId: ids.OTHER_ORGANIZATION };
  const answer = authenticate(directory, { ...own, origin: 'null', claims });
  expect(answer.problem?.code).toBe('ORIGIN_NOT_ALLOWED');
});

test('one key without an allow-list makes every preflight succeed', () => {
  const open = buildDirectory(ids.directoryData({ origins: [SHOP] }));
  expect(open.isOriginAllowedBySomeKey('https://any.example')).toBe(true);
  expect(buildDirectory({ ...ids.directoryData(), sdkKeys: [] }).size).toBe(0);
});

describe('tenant claims', () => {
  const rights: Required<TenantClaims>[] = [
    { organizationId: ids.ORGANIZATION, workspaceId: ids.WORKSPACE, propertyId: ids.PROPERTY },
  ];
  const wrongs: [keyof TenantClaims, string, RegExp][] = [
    ['organizationId', ids.OTHER_ORGANIZATION, /X-Organization-ID/],
    ['workspaceId', ids.OTHER_WORKSPACE, /workspace_id/],
    ['propertyId', ids.OTHER_PROPERTY, /X-Property-Id or property_id/],
    ['propertyId', 'not an id', /X-Property-Id or property_id/],
    ['organizationId', ids.WORKSPACE, /X-Organization-ID/],
  ];

  test.each(wrongs)(
    '%s %j of another tenant is refused, and the error names it',
    (field, value, name) => {
      for (const right of rights) {
        const answer = authenticate(directory, { ...own, claims: { ...right, [field]: value } });
        expect(answer).toMatchObject({ problem: { code: 'TENANT_MISMATCH' }, isCorsAllowed: true });
        expect(answer.problem?.message).toMatch(name);
      }
    },
  );

  test('that are correct, absent or empty are accepted, in upper or lower case', () => {
    const claim = (id: string) => fc.constantFrom(undefined, '', id, id.toUpperCase());
    const claims = fc.record({
      organizationId: claim(ids.ORGANIZATION),
      workspaceId: claim(ids.WORKSPACE),
      propertyId: claim(ids.PROPERTY),
    });
    fc.assert(
      fc.property(claims, some => {
        expect(authenticate(directory, { ...own, claims: some }).problem).toBeUndefined();
      }),
    );
  });
});
