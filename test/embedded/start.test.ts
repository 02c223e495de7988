// `npm start`, its printed commands, its end, and the next start.

import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { DemoTenant } from '../../embedded/demo-tenant.ts';
import type { Opened } from '../../embedded/opened.ts';
import { commandLine } from '../../embedded/processes.ts';
import { eventually } from '../harness/eventually.ts';
import { leftovers } from '../harness/leftovers.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { newDirectory } from '../harness/run-directory.ts';
import {
  askViewer,
  children,
  demo,
  paste,
  pasteLines,
  type Service,
  type Tokens,
  tokenOf,
  useServices,
} from './services.ts';

const { start } = useServices();

describe('npm start', () => {
  let dataDir: string;
  let first: Service & Opened;
  let shown: DemoTenant & Opened & Tokens;
  beforeAll(async () => {
    dataDir = join(await newDirectory('start with a space'), 'data of mine');
    // Started like a user does, without the options that make other tests fast.
    first = await start(dataDir, { command: ['npm', 'start'], env: { NODE_OPTIONS: '' } });
    shown = JSON.parse((await demo(dataDir)).stdout) as typeof shown;
  });

  test('the printed commands work', async () => {
    expect(shown).toMatchObject({
      baseUrl: first.baseUrl,
      ingestUrl: first.ingestUrl,
      apiUrl: first.apiUrl,
      clickhouseUrl: first.clickhouseUrl,
    });
    expect(first.output()).toContain(shown.writeKey);

    const { post, query } = pasteLines(first.output());
    expect(JSON.parse(await paste(post))).toMatchObject({ status: 'SUCCESS', accepted: 1 });
    await paste(post);
    await eventually(async () => expect(await paste(query)).toContain('Order Completed'));
    expect((await paste(query)).match(/Order Completed/g)).toHaveLength(1);

    const { accessToken, adminToken, agencyToken } = shown;
    for (const token of [accessToken, adminToken, agencyToken, await tokenOf(dataDir, shown)])
      expect(await askViewer(first.baseUrl, token)).toMatchObject({ data: { viewer: {} } });
    const { mode } = await stat(join(dataDir, 'secrets.json'));
    expect(mode & 0o777).toBe(0o600);
  });

  test('Ctrl-C stops everything', async () => {
    const { ingest } = await children(dataDir);
    expect(await commandLine(ingest.pid)).toMatch(/ingest.main\.ts --data-dir .*data of mine/);
    process.kill(-first.process.pid!, 'SIGINT');
    expect(await first.ended).toBe(0);
    await expect(children(dataDir)).rejects.toThrow('ENOENT');
    expect(leftovers(dataDir)).toEqual([]);
    await expect(demo(dataDir)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/No service is running/),
    });
  });

  test('the next start has all data', async () => {
    const second = await start(dataDir);
    expect(JSON.parse((await demo(dataDir)).stdout)).toMatchObject({ writeKey: shown.writeKey });
    // The secret of the first start is still valid.
    expect(await askViewer(second.baseUrl, shown.accessToken)).toMatchObject({
      data: { viewer: {} },
    });
    const again = pasteLines(second.output()).query;
    expect(await paste(again)).toContain('Order Completed');
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(leftovers(dataDir)).toEqual([]);
  });
});

test('with external engines it starts none, and its demo works with them', async () => {
  const dataDir = await newDirectory('start');
  const { owner, app, system } = await ownDatabase();
  const clickhouseUrl = inject('clickhouseUrl');
  const env = { DATABASE_URL: owner, CLICKHOUSE_URL: clickhouseUrl };
  const service = await start(dataDir, { env });
  expect(Object.keys(await children(dataDir))).toEqual(['ingest', 'gateway', 'approver', 'api']);
  expect(service).toMatchObject({ postgresPort: null, clickhouseUrl });
  const { post } = pasteLines(service.output());
  expect(JSON.parse(await paste(post))).toMatchObject({ status: 'SUCCESS', accepted: 1 });
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);

  const secrets = {
    AUTH_JWT_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: `own:${randomBytes(32).toString('base64')}`,
  };
  const logins = { DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system };
  const inProduction = { ...env, ...logins, ...secrets, NODE_ENV: 'production' };
  const production = await start(dataDir, { env: inProduction });
  expect(production.output()).not.toContain('write key');
  await expect(demo(dataDir)).rejects.toMatchObject({
    stderr: expect.stringContaining('no demo tenant'),
  });
});
