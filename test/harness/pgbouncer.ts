// A real pgbouncer in transaction mode in front of a Postgres: after each transaction, the connection
// to the server is given to the next waiting client. It refuses startup parameters that it does not track.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../embedded/ports.ts';
import { unprivilegedLaunch } from '../../embedded/postgres/unprivileged.ts';
import type { DatabaseUrls } from '../../schema/environment/database-urls.ts';
import { eventually } from './eventually.ts';
import { newDirectory } from './run-directory.ts';

const PROGRAM = 'pgbouncer';
const SHIPPED = join(import.meta.dirname, '../../deploy/pgbouncer.ini');

export type Pgbouncer = {
  /** The addresses of the same databases and logins through pgbouncer. */
  readonly urls: DatabaseUrls;
  /** The latest output. */
  log(): string;
  /** Closes all connections. */
  stop(): Promise<void>;
  /** Opens the same port again. */
  start(): Promise<void>;
};

export type PgbouncerOptions = {
  /** All of one server. */
  readonly urls: DatabaseUrls;
  /** Connections to the server, for each login and database. */
  readonly poolSize?: number;
};

export function hasPgbouncer(): boolean {
  try {
    execFileSync(PROGRAM, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function startPgbouncer({ urls, poolSize = 2 }: PgbouncerOptions): Promise<Pgbouncer> {
  const port = await freePort();
  const directory = await newDirectory('pgbouncer');
  const [file, logins] = [join(directory, 'pgbouncer.ini'), join(directory, 'userlist.txt')];
  const addresses = Object.values(urls).map(url => new URL(url));
  await writeFile(logins, addresses.map(loginOf).join(''));
  await writeFile(file, await configuration({ port, poolSize, logins, server: addresses[0]! }));
  // It refuses to run as root.
  const launch = unprivilegedLaunch(undefined, [file]);
  let log = '';
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const { file: program, args, ...user } = launch.command(PROGRAM, [file]);
    const started = spawn(program, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    await eventually(
      async () => {
        if (started.exitCode === null) await canConnect(port);
      },
      { intervalMs: 10 },
    );
    if (started.exitCode !== null) throw new Error(`pgbouncer did not start:\n${log}`);
  }

  await start();
  return {
    urls: {
      owner: withPort(urls.owner, port),
      app: withPort(urls.app, port),
      system: withPort(urls.system, port),
    },
    log: () => log,
    start,
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** That of production, for all databases of the server. */
async function configuration({
  port,
  poolSize,
  logins,
  server,
}: {
  readonly port: number;
  readonly poolSize: number;
  readonly logins: string;
  readonly server: URL;
}): Promise<string> {
  const shipped = await readFile(SHIPPED, 'utf8');
  const replaced: readonly (readonly [RegExp, string])[] = [
    [/^engagement = .*$/m, `* = host=${server.hostname} port=${server.port}`],
    [/^listen_port = .*$/m, `listen_port = ${port}`],
    [/^auth_file = .*$/m, `auth_file = ${logins}`],
    [/^default_pool_size = .*$/m, `default_pool_size = ${poolSize}`],
  ];
  return replaced.reduce((text, [line, own]) => {
    if (!line.test(text)) throw new Error(`${SHIPPED} has no line ${line.source}`);
    return text.replace(line, own);
  }, shipped);
}

/** With its password, which pgbouncer needs to log in at the server. */
function loginOf({ username, password }: URL): string {
  return `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`;
}

function withPort(address: string, port: number): string {
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}

async function canConnect(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
