import { expect, test } from 'vitest';
import {
  databaseLogin,
  databaseUrls,
  replicaUrl,
} from '../../../schema/environment/database-urls.ts';

const OWNER = 'postgres://owner:secret@db/service';

test.each([
  ['', ''],
  ['?sslmode=verify-full', '?sslmode=verify-full'],
  ['?options=-c%20search_path%3Dpublic', '?options=-c%20search_path%3Dpublic'],
])('the role of the owner’s login is separate from its URL: %s', (given, kept) => {
  const { app, system } = databaseUrls({ DATABASE_URL: `${OWNER}${given}` });
  expect(databaseLogin(app)).toEqual({ url: `${OWNER}${kept}`, role: 'service_app' });
  expect(databaseLogin(system)).toEqual({ url: `${OWNER}${kept}`, role: 'service_system' });
});

test('a login of its own keeps its URL', () => {
  const url = 'postgres://service_app@db/service?options=-c%20jit%3Doff';
  expect(databaseLogin(url)).toEqual({ url, role: undefined });
});

test('the replica has the login of the application', () => {
  const DATABASE_READ_URL = 'postgres://someone@replica/service';
  expect(replicaUrl({})).toBeUndefined();
  expect(replicaUrl({ DATABASE_READ_URL, DATABASE_APP_URL: OWNER })).toBe(DATABASE_READ_URL);
  expect(databaseLogin(replicaUrl({ DATABASE_READ_URL })!)).toEqual({
    url: DATABASE_READ_URL,
    role: 'service_app',
  });
});
