// A real nginx with deploy/nginx.conf: ports of this run instead of those in the file, an unprivileged
// process, and its own directory.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../embedded/ports.ts';
import { eventually } from './eventually.ts';
import { send } from './http.ts';
import { newDirectory } from './run-directory.ts';

export const NGINX_FILE = join(import.meta.dirname, '..', '..', 'deploy', 'nginx.conf');

export type NginxOptions = {
  /** The ports of the nodes. */
  readonly ingest: readonly number[];
  /** By default, the same: a node without an operator port serves them on its only port. */
  readonly ingestOperations?: readonly number[];
  readonly api: readonly number[];
  /** A further change of the configuration. */
  readonly edit?: (conf: string) => string;
};

export type Nginx = {
  /** The base address. */
  readonly url: string;
  readonly port: number;
  /** The address for INGEST_URL. */
  readonly internalUrl: string;
  readonly tlsPort: number;
  /** The error log, without connections that a stopped node refused. */
  errors(): string;
  stop(): Promise<void>;
};

export function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function startNginx({
  ingest,
  ingestOperations = ingest,
  api,
  edit = conf => conf,
}: NginxOptions): Promise<Nginx> {
  const [port, internalPort, tlsPort] = [await freePort(), await freePort(), await freePort()];
  const directory = await newDirectory('nginx');
  const conf = edit(await readFile(NGINX_FILE, 'utf8'))
    .replace('listen 3000 reuseport', `listen 127.0.0.1:${port}`)
    .replace('listen 127.0.0.1:3001', `listen 127.0.0.1:${internalPort}`)
    .replace(/^( +)listen 443/m, `$1listen 127.0.0.1:${tlsPort}`)
    .replace(/server 127\.0\.0\.1:8080(.*);/, (_, options: string) => servers(ingest, options))
    .replace(/server 127\.0\.0\.1:8081(.*);/, (_, options: string) =>
      servers(ingestOperations, options),
    )
    .replace(/server 127\.0\.0\.1:4000(.*);/, (_, options: string) => servers(api, options));
  const file = join(directory, 'nginx.conf');
  await writeFile(file, wholeFile(directory, conf));
  const args = ['-p', directory, '-c', file, '-e', 'stderr'];
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  await eventually(
    async () => {
      if (child.exitCode !== null) return;
      await send(`http://127.0.0.1:${port}/internal`, { method: 'GET' });
    },
    { intervalMs: 10 },
  );
  if (child.exitCode !== null) throw new Error(`nginx did not start:\n${errors}`);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    tlsPort,
    errors: () => errors.replaceAll(/.*Connection refused.*\n/g, ''),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function servers(ports: readonly number[], options: string): string {
  return ports.map(port => `server 127.0.0.1:${port}${options};`).join('\n    ');
}

/** Debian's file includes ours in the same place. */
function wholeFile(directory: string, conf: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${directory}/${name};`)
    .join('\n');
  return `daemon off; master_process off; pid ${directory}/pid; error_log stderr warn;
events {}
http {
access_log off;
${folders}
${conf}
}
`;
}
