// The addresses and ports of a running service, as files in its data directory, for scripts and
// people.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClockSetting } from '../schema/environment/service-time.ts';
import type { DemoPartner } from './demo-partner.ts';
import type { DemoTemplates } from './demo-templates.ts';
import type { DemoTenant } from './demo-tenant.ts';
import type { MadeSecrets } from './secrets.ts';

/** ports.json: exists while the service runs. */
export type Opened = {
  readonly pid: number;
  readonly baseUrl: string;
  readonly ingestUrl: string;
  /** Where ingest serves the API, if not at `ingestUrl`. */
  readonly ingestInternalUrl?: string;
  readonly apiUrl: string;
  readonly clickhouseUrl: string;
  /** The address of the demo's payment gateway; undefined with a real one. */
  readonly gatewayUrl?: string;
  /** Null if DATABASE_URL names the user's own Postgres. */
  readonly postgresPort: number | null;
};

/** demo.json. */
export type Demo = DemoTenant & Partial<DemoPartner> & Partial<DemoTemplates>;

export function writeOpened(dataDir: string, opened: Opened): void {
  writeWhole(portsFile(dataDir), opened);
}

export function readOpened(dataDir: string): Opened | undefined {
  return readIfThere<Opened>(portsFile(dataDir));
}

export function removeOpened(dataDir: string): void {
  rmSync(portsFile(dataDir), { force: true });
}

export function writeDemo(dataDir: string, demo: Demo): void {
  writeWhole(demoFile(dataDir), demo);
}

export function removeDemo(dataDir: string): void {
  rmSync(demoFile(dataDir), { force: true });
}

export function readDemo(dataDir: string): Demo | undefined {
  return readIfThere<Demo>(demoFile(dataDir));
}

/** clock.json: exists once the service's clock was set forward. */
export function clockFile(dataDir: string): string {
  return join(dataDir, 'clock.json');
}

export function writeClock(dataDir: string, setting: ClockSetting): void {
  writeWhole(clockFile(dataDir), setting);
}

export function writeSecrets(dataDir: string, secrets: MadeSecrets): void {
  writeWhole(secretsFile(dataDir), secrets);
}

export function readSecrets(dataDir: string): MadeSecrets | undefined {
  return readIfThere<MadeSecrets>(secretsFile(dataDir));
}

function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.json');
}

function portsFile(dataDir: string): string {
  return join(dataDir, 'ports.json');
}

function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** Written atomically. Readable by the owner only, because addresses may contain passwords. */
function writeWhole(file: string, content: object): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

function readIfThere<Content>(file: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
