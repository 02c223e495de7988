// Connections to Postgres are encrypted, and its certificate is verified.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '../../migrations/migrate.ts';
import { startApi } from '../graphql-api/harness/api-process.ts';
import { mutate } from '../graphql-api/harness/mutate.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { startIngest } from '../harness/ingest-process.ts';
import {
  hasPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../harness/postgres-server.ts';
import { newDirectory } from '../harness/run-directory.ts';
import type { SelfSigned } from '../harness/self-signed.ts';

const ROOT = join(import.meta.dirname, '..', '..');

if (!hasPostgresServer())
  process.stdout.write('postgres-tls: skipped, because Debian’s postgresql is not installed\n');

describe.skipIf(!hasPostgresServer())('with a certificate of an own authority', () => {
  let postgres: PostgresServer;
  let [authority, otherAuthority] = ['', ''];
  beforeAll(async () => {
    const own = await newAuthority();
    [authority, otherAuthority] = [own.file, (await newAuthority()).file];
    postgres = await startPostgresServer({ tls: await own.certify('localhost') });
    const databaseUrl = trusting(authority, postgres.urls.owner);
    await migrate({ databaseUrl, clickhouseUrls: {}, log: () => undefined });
  });
  afterAll(() => postgres?.kill9());

  const environment = (file: string) => ({
    DATABASE_APP_URL: trusting(file, postgres.urls.app),
    DATABASE_SYSTEM_URL: trusting(file, postgres.urls.system),
  });

  async function run(program: string, file: string, ...args: string[]): Promise<string> {
    const env = {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: trusting(file, postgres.urls.owner),
      CLICKHOUSE_URL: inject('clickhouseUrl'),
      CLICKHOUSE_BACKUPS: inject('runDirectory'),
    };
    const command = promisify(execFile)(process.execPath, [join(ROOT, program), ...args], { env });
    const { stdout, stderr } = await command.catch(
      (error: object) => error as Awaited<typeof command>,
    );
    return stdout + stderr;
  }

  test('both programs, migrate and backup connect with verify-full', async () => {
    const env = environment(authority);
    const [api, ingest] = await Promise.all([startApi({ env }), startIngest({ env })]);
    onTestFinished(async () => void (await Promise.all([api.stop(), ingest.stop()])));
    const tenant = await liveTenant(ingest, { databaseUrl: postgres.urls.owner });
    const input = { name: 'encrypted', type: 'BANNER' };
    await mutate({ api, tenant }, 'campaignCreate', { input }, '__typename');
    const sessions = await postgres.query(`
      SELECT DISTINCT usename, ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE usename IN ('service_app', 'service_system') ORDER BY usename`);
    expect(sessions).toEqual([
      { usename: 'service_app', ssl: true },
      { usename: 'service_system', ssl: true },
    ]);
    expect(await run('migrations/migrate.ts', authority)).not.toContain('migrate:');
    const to = await newDirectory('backup');
    const only = ['--only', 'postgres'];
    expect(await run('backup/main.ts', authority, 'create', '--to', to, ...only)).toContain(
      'The backup is complete',
    );
  });

  test('a certificate for another host is refused', async () => {
    const databaseUrl = trusting(authority, postgres.urls.owner).replace(
      '@localhost',
      '@127.0.0.1',
    );
    const options = { databaseUrl, clickhouseUrls: {}, log: () => undefined };
    await expect(migrate(options)).rejects.toThrow('does not match certificate');
  });

  test('a program whose URL names a missing file does not start', async () => {
    const options = { env: environment('/missing/ca.crt') };
    const starts = await Promise.allSettled([startApi(options), startIngest(options)]);
    const reason = expect.objectContaining({
      message: expect.stringContaining("no such file or directory, open '/missing/ca.crt'"),
    });
    expect(starts).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });

  test('a certificate of another authority is refused with the reason', async () => {
    const reason = 'unable to verify the first certificate';
    expect(await run('migrations/migrate.ts', otherAuthority)).toContain(
      `migrate: Postgres cannot be reached: ${reason}`,
    );
    const to = await newDirectory('backup');
    const args = ['create', '--to', to, '--only', 'postgres'];
    expect(await run('backup/main.ts', otherAuthority, ...args)).toContain(reason);
    const options = { env: environment(otherAuthority), isReadinessAwaited: false };
    const [api, ingest] = await Promise.all([startApi(options), startIngest(options)]);
    onTestFinished(async () => void (await Promise.all([api.stop(), ingest.stop()])));
    const ready = await api.rest('/readyz');
    expect([ready.status, ready.text]).toEqual([503, expect.stringContaining(reason)]);
    await eventually(() => expect(ingest.logs()).toContain(reason));
  });
});

/** The form of URLs in docs/operators.md. */
function trusting(authority: string, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.hostname = 'localhost';
  return `${url.href}?sslmode=verify-full&sslrootcert=${authority}`;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const DAYS = ['-days', '2'];

async function newAuthority() {
  const directory = await newDirectory('authority');
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: directory });
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  const subject = ['-subj', '/CN=Authority', '-keyout', 'ca.key', '-out', 'ca.crt'];
  await openssl('req', '-x509', ...NEW_KEY, ...DAYS, ...subject);
  return {
    file: join(directory, 'ca.crt'),
    async certify(host: string): Promise<SelfSigned> {
      await writeFile(join(directory, 'names'), `subjectAltName=DNS:${host}`);
      const asked = ['-subj', `/CN=${host}`, '-keyout', 'server.key', '-out', 'server.csr'];
      await openssl('req', ...NEW_KEY, ...asked);
      const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
      await openssl('x509', '-req', '-in', 'server.csr', ...by, ...DAYS, '-out', 'server.crt');
      return { key: await read('server.key'), cert: await read('server.crt') };
    },
  };
}
