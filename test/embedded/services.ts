// Starts the whole service like its users do, with `npm start`, and asks it.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, inject } from 'vitest';
import type { DemoTenant } from '../../embedded/demo-tenant.ts';
import type { Opened } from '../../embedded/opened.ts';
import { eventually } from '../harness/eventually.ts';
import { QUICK_START_OPTIONS, quickStartEnvironment } from '../harness/quick-start.ts';

/** Services that are stopped after the tests of the file. */
export function useServices() {
  const services: Service[] = [];
  afterAll(async () => {
    for (const service of services) {
      if (service.process.exitCode === null) service.process.kill('SIGTERM');
      await service.ended;
    }
  });

  /** Launches the service; `isReady` resolves when it has started. */
  function launch(
    dataDir: string,
    { command = [process.execPath, 'embedded/start.ts'], env = {} as Record<string, string> } = {},
  ): Service {
    const [file, ...args] = command;
    // In its own process group, like a command typed into a terminal.
    const child = spawn(file!, args, { cwd: ROOT, env: environment(dataDir, env), detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const service = { dataDir, process: child, output: () => output, ended };
    services.push(service);
    return service;
  }

  async function start(...parameters: Parameters<typeof launch>): Promise<Service & Opened> {
    const service = launch(...parameters);
    const opened = await eventually(async () => {
      if (service.process.exitCode !== null) return undefined;
      expect(service.output()).toContain('Ctrl-C drains');
      return readJson<Opened>(service.dataDir, 'ports.json');
    });
    if (opened === undefined) throw new Error(`It ended:\n${service.output()}`);
    return { ...service, ...opened };
  }

  return { launch, start };
}

export const ROOT = join(import.meta.dirname, '..', '..');
export const FREE_PORTS = {
  PORT: '0',
  INGEST_PORT: '0',
  API_PORT: '0',
  POSTGRES_PORT: '0',
  CLICKHOUSE_PORT: '0',
};
/** Other test files run at the same time, so ClickHouse must keep its priority. */
const SETTINGS = { ...FREE_PORTS, CLICKHOUSE_NICE: '0' };
export const run = promisify(execFile);

export type Service = {
  readonly dataDir: string;
  readonly process: ChildProcess;
  output(): string;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
};

export function environment(
  dataDir: string,
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATA_DIR: dataDir,
    INGEST_THREADS: '1',
    NODE_OPTIONS: QUICK_START_OPTIONS,
    ...quickStartEnvironment(inject('runDirectory')),
    ...SETTINGS,
    ...env,
  };
}

export async function readJson<Content>(dataDir: string, name: string): Promise<Content> {
  return JSON.parse(await readFile(join(dataDir, name), 'utf8')) as Content;
}

type Children = Record<'ingest' | 'api' | 'clickhouse', { pid: number }>;

export function children(dataDir: string): Promise<Children> {
  return readJson<Children>(dataDir, 'children.json');
}

/** Fails while the file is not completely written. */
export async function pidOfPostgres(dataDir: string): Promise<number> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
  if (Number.isNaN(pid)) throw new Error('postmaster.pid is empty');
  return pid;
}

export function demo(dataDir: string): Promise<{ stdout: string }> {
  return run('npm', ['run', '-s', 'demo'], { cwd: ROOT, env: environment(dataDir) });
}

/** The commands for users to paste. */
export function pasteLines(output: string): { post: string; query: string } {
  const [post, query] = output.split('\n').filter(line => line.startsWith('  curl '));
  return { post: post!, query: query! };
}

export type Tokens = {
  readonly accessToken: string;
  readonly adminToken: string;
  readonly agencyToken: string;
};

export async function tokenOf(dataDir: string, { organizationId }: DemoTenant): Promise<string> {
  const command = ['run', '-s', 'token', '--', '--org', organizationId, '--role', 'member'];
  const { stdout } = await run('npm', command, { cwd: ROOT, env: environment(dataDir) });
  return stdout.trim();
}

export function askViewer(baseUrl: string, token: string): Promise<unknown> {
  return askApi(baseUrl, token, '{ viewer { userId } }');
}

export async function askApi(baseUrl: string, token: string, query: string): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  return answer.json();
}

export async function askClickhouse(clickhouseUrl: string, query: string): Promise<string> {
  const answer = await fetch(clickhouseUrl, { method: 'POST', body: query });
  return (await answer.text()).trim();
}

export async function paste(line: string): Promise<string> {
  return (await run('sh', ['-c', line])).stdout;
}

export async function postBatch(
  baseUrl: string,
  writeKey: string,
  messageId: string,
): Promise<number> {
  const time = new Date().toISOString();
  const ids = { messageId, anonymousId: 'a', sessionId: 's' };
  const event = { type: 'track', event: 'Tried', timestamp: time, ...ids };
  const answer = await fetch(`${baseUrl}/v1/batch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ writeKey, sentAt: time, batch: [event] }),
  });
  await answer.text();
  return answer.status;
}
