// The PostgreSQL server that Debian packages, alone or as a primary with a streaming replica. The embedded
// one has no pg_basebackup.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort, LOOPBACK } from '../../embedded/ports.ts';
import { type Launch, unprivilegedLaunch } from '../../embedded/postgres/unprivileged.ts';
import type { DatabaseUrls } from '../../schema/environment/database-urls.ts';
import { eventually } from './eventually.ts';
import { newDirectory } from './run-directory.ts';
import type { SelfSigned } from './self-signed.ts';

const VERSIONS = '/usr/lib/postgresql';

export type PostgresServer = {
  readonly port: number;
  /** Of a database whose roles have passwords, but no schema. */
  readonly urls: DatabaseUrls;
  /** As the superuser, in its own database. */
  query(text: string): Promise<Record<string, unknown>[]>;
  /** A replica that has all that was committed before. */
  replica(): Promise<PostgresServer>;
  /** Ends all its processes at once, like the loss of its machine. */
  kill9(): Promise<void>;
};

/** Undefined where the package is not installed. */
function programs(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const [newest] = readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one));
  const directory = join(VERSIONS, newest ?? '', 'bin');
  return existsSync(join(directory, 'pg_basebackup')) ? directory : undefined;
}

export function hasPostgresServer(): boolean {
  return programs() !== undefined;
}

/** `tls` is its certificate, with its key, in PEM format. Without it, connections are not encrypted. */
export async function startPostgresServer({
  tls,
}: {
  readonly tls?: SelfSigned;
} = {}): Promise<PostgresServer> {
  const place = await newPlace();
  const { data, launch } = place;
  await run(launch, 'initdb', [`--pgdata=${data}`, ...INITDB_ARGS]);
  if (tls !== undefined) await writeCertificate(place, tls);
  const server = await start(place, tls && { ssl: 'on' });
  await server.query(`CREATE ROLE service_owner LOGIN PASSWORD 'owner'`);
  await server.query(`CREATE ROLE service_app LOGIN PASSWORD 'app'`);
  await server.query(`CREATE ROLE service_system LOGIN PASSWORD 'system'`);
  await server.query('CREATE DATABASE service OWNER service_owner');
  return server;
}

const INITDB_ARGS = [
  '--username=postgres',
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--no-sync',
];

/** With the settings of a replica. */
const BASE_BACKUP_ARGS = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];

type Place = { readonly data: string; readonly launch: Launch };

/** In the files that Postgres reads by default; only its user may read the key. */
async function writeCertificate({ data, launch: { user } }: Place, tls: SelfSigned): Promise<void> {
  for (const [name, content] of [
    ['server.key', tls.key],
    ['server.crt', tls.cert],
  ] as const) {
    const file = join(data, name);
    await writeFile(file, content, { mode: 0o600 });
    if (user !== undefined) await chown(file, user.uid, user.gid);
  }
}

async function newPlace(): Promise<Place> {
  const data = join(await newDirectory('postgres-server'), 'data');
  await mkdir(data, { mode: 0o700 });
  const launch = unprivilegedLaunch(undefined, [data]);
  if (launch.user !== undefined) await chown(data, launch.user.uid, launch.user.gid);
  return { data, launch };
}

async function run(launch: Launch, program: string, args: readonly string[]): Promise<void> {
  const { file, args: all, ...user } = launch.command(join(programs()!, program), args);
  await promisify(execFile)(file, all, { ...user, cwd: '/' });
}

async function start(
  { data, launch }: Place,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const port = await freePort();
  const all = { ...SETTINGS, ...settings, port: String(port) };
  const command = launch.command(join(programs()!, 'postgres'), [
    '-D',
    data,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const { file, args, ...user } = command;
  // A group of its own, so that its children can be killed with it.
  const child = spawn(file, args, {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const url = (login: string, database: string) =>
    `postgres://${login}@${LOOPBACK}:${port}/${database}`;
  const query = (text: string) => queryAt(url('postgres', 'postgres'), text);
  await eventually(
    async () => {
      if (child.exitCode === null) await query('SELECT 1');
    },
    { intervalMs: 20 },
  );
  if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`);
  return {
    port,
    urls: {
      owner: url('service_owner:owner', 'service'),
      app: url('service_app:app', 'service'),
      system: url('service_system:system', 'service'),
    },
    query,
    async replica() {
      const place = await newPlace();
      const source = `--dbname=${url('postgres', 'postgres')}`;
      const target = `--pgdata=${place.data}`;
      await run(place.launch, 'pg_basebackup', [source, target, ...BASE_BACKUP_ARGS]);
      return start(place, settings);
    },
    kill9: () => kill9(child),
  };
}

const SETTINGS = {
  listen_addresses: LOOPBACK,
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_wal_senders: '4',
  // Instead of a replication slot.
  wal_keep_size: '256MB',
  max_connections: '100',
};

async function queryAt(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function kill9(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await gone;
}
