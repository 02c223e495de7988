import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../embedded/config.ts';
import { analystUrls, clickhouseUrls } from '../../schema/environment/clickhouse-urls.ts';

const KEYS = `first:${Buffer.alloc(32).toString('base64')}`;

test('every setting has a default', () => {
  expect(readConfig({})).toEqual({
    dataDir: resolve('.data'),
    host: '127.0.0.1',
    port: 3000,
    ingestPort: 8080,
    apiPort: 4000,
    gatewayPort: 0,
    postgresPort: 5433,
    clickhousePort: 8123,
    clickhouseNice: 10,
    databaseUrls: undefined,
    clickhouseUrl: undefined,
    cellUrls: {},
    clickhouseCluster: undefined,
    logLevel: 'info',
    auth: { issuer: 'engagement-service', audience: 'engagement-service-api' },
  });
});

test('treats blank values as absent', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '  ' })).toEqual(readConfig({}));
});

test('reports every error at once, each with its variable', () => {
  const env = { PORT: 'http', INGEST_PORT: '70000', DATABASE_URL: 'mysql://h/d' };
  expect(() => readConfig(env)).toThrow(/PORT .*\n.*INGEST_PORT .*\n.*DATABASE_URL /);
});

test.each(['LOG_LEVEL', 'INGEST_THREADS', 'SPOOL_MAX_BYTES', 'DRAIN_NOTICE_MS'])(
  'an invalid %s, which ingest would refuse, is reported with the others',
  name => {
    const read = () => readConfig({ PORT: 'http', [name]: 'wrong' });
    expect(read).toThrow(new RegExp(`PORT .*\\n.*${name}`));
  },
);

test.each(['AUTH_JWT_SECRET', 'AUTH_JWKS_URL', 'ENCRYPTION_KEYS', 'DATABASE_POOL_MAX'])(
  'an invalid %s, which the API would refuse, is reported with the others',
  name => {
    const read = () => readConfig({ PORT: 'http', [name]: '1' });
    expect(read).toThrow(new RegExp(`PORT .*\\n.*${name}`));
  },
);

test('production requires its own secrets', () => {
  const secrets = { AUTH_JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEYS: KEYS };
  const read = (env: object) => readConfig({ NODE_ENV: 'production', ...env });
  expect(() => read({ ...secrets, AUTH_JWT_SECRET: '' })).toThrow('AUTH_JWT_SECRET');
  expect(() => read({ ...secrets, ENCRYPTION_KEYS: '' })).toThrow('ENCRYPTION_KEYS');
  expect(read(secrets).port).toBe(3000);
});

test('two programs cannot share a port, but each can use a free one', () => {
  expect(() => readConfig({ PORT: '8080' })).toThrow('INGEST_PORT must differ from PORT');
  expect(readConfig({ PORT: '0', INGEST_PORT: '0' })).toMatchObject({ port: 0, ingestPort: 0 });
});

test('uses the engines of the user', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://owner@db.example/service',
    CLICKHOUSE_URL: 'https://user:secret@ch.example:8443/events',
    CLICKHOUSE_URL_EU_WEST: 'http://eu:8123',
  });
  expect(config.databaseUrls?.owner).toBe('postgres://owner@db.example/service');
  expect(config.databaseUrls?.app).toContain('role%3Dservice_app');
  expect(config.clickhouseUrl).toBe('https://user:secret@ch.example:8443/events');
  expect(config.cellUrls).toEqual({ 'eu-west': 'http://eu:8123' });
});

test('finds the ClickHouse of each cell by its slug', () => {
  expect(
    clickhouseUrls({
      CLICKHOUSE_URL: 'http://a',
      CLICKHOUSE_URL_EU_WEST: 'http://b',
      CLICKHOUSE_URL_BLANK: '',
      CLICKHOUSE_URLS: 'http://c',
      CLICKHOUSE_PORT: '1',
    }),
  ).toEqual({ default: 'http://a', 'eu-west': 'http://b' });
});

test('by default, the analyst URL is that of the service, without its password', () => {
  const env = {
    CLICKHOUSE_URL: 'https://service:secret@inside:8443/warehouse',
    CLICKHOUSE_URL_EU_WEST: 'http://eu-inside:8123',
    ANALYST_URL_EU_WEST: 'https://eu.example.com',
  };
  expect(analystUrls(env)).toEqual({
    default: 'https://inside:8443',
    'eu-west': 'https://eu.example.com',
  });
});

test('sets the priority of the embedded ClickHouse', () => {
  expect(readConfig({ CLICKHOUSE_NICE: '0' }).clickhouseNice).toBe(0);
  expect(() => readConfig({ CLICKHOUSE_NICE: '20' })).toThrow('CLICKHOUSE_NICE must be 19 or less');
});
