// In production, each program requires the settings whose defaults are only for a developer's machine.

import { expect, test } from 'vitest';
import { readConfig as readApiConfig } from '../../graphql-api/app/config.ts';
import { readConfig as readIngestConfig } from '../../ingest/config.ts';
import { TEST_ENCRYPTION_KEYS } from '../harness/environments.ts';

const COMMON = {
  NODE_ENV: 'production',
  DATABASE_SYSTEM_URL: 'postgres://system:b@db/service',
  CLICKHOUSE_URL: 'http://clickhouse:8123',
  ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
  INTERNAL_TOKEN: 'x'.repeat(32),
};
const INGEST = {
  ...COMMON,
  DATA_DIR: '/var/lib/engagement',
  INGEST_HOST: '127.0.0.1',
  INGEST_OPERATIONS_PORT: '8081',
};
const API = {
  ...COMMON,
  API_HOST: '127.0.0.1',
  API_OPERATIONS_PORT: '4001',
  DATABASE_APP_URL: 'postgres://app:a@db/service',
  INGEST_URL: 'http://ingest:8081',
  AUTH_JWT_SECRET: 'x'.repeat(32),
};

test.each([
  ['ingest', readIngestConfig, INGEST],
  ['the API', readApiConfig, API],
] as const)(
  'each missing setting of %s is named in one error, with its meaning',
  (_, read, all) => {
    read(all);
    expect(() => read({ NODE_ENV: 'production' })).toThrow(
      expect.objectContaining({
        message: expect.toSatisfy((message: string) =>
          Object.keys(all)
            // Without a secret, the address of the public keys is asked for.
            .filter(name => name !== 'NODE_ENV' && name !== 'AUTH_JWT_SECRET')
            .every(name => message.includes(`  ${name}: is required`)),
        ),
      }),
    );
    // Elsewhere, they have defaults.
    expect(read({ ...all, NODE_ENV: undefined, DATA_DIR: undefined }).host).toBe('127.0.0.1');
  },
);

test.each([
  'postgres://system:other@db/service',
  'postgres://system@one,two:5433/service?target_session_attrs=read-write',
  'postgres://db/service?user=system',
])('in production, the API refuses that both roles use one login: %s', url => {
  const read = () => readApiConfig({ ...API, DATABASE_APP_URL: url });
  expect(read).toThrow('DATABASE_APP_URL: must not use the login of DATABASE_SYSTEM_URL');
});
