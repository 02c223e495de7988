// npm run receive, as used by developers of webhook receivers.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { webhookLine } from '../../embedded/receiver/line.ts';
import { eventually } from '../harness/eventually.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = JSON.stringify({
  type: 'payment.succeeded',
  timestamp: '2026-11-21T09:30:00.125Z',
  data: { amount: 7 },
});

function launch(args: readonly string[], secret = SECRET) {
  const child = spawn(process.execPath, ['embedded/receiver/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output, ended };
}

async function post(url: string, id: string, secret = SECRET): Promise<number> {
  const now = new Date();
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, BODY),
    },
    body: BODY,
  });
  return answer.status;
}

test('prints signed webhooks as JSON lines in a pipe, marks repeats, and refuses others', async () => {
  const { child, output, ended } = launch(['--port', '0', '--answer', '202']);
  const url = await eventually(() => {
    const [, found] = /listening at (\S+)/.exec(output.stderr) ?? [];
    expect(found).toBeDefined();
    return found!;
  });
  expect(await post(url, 'first')).toBe(202);
  expect(await post(url, 'first')).toBe(202);
  expect(await post(url, 'forged', `whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toBe(401);
  expect((await fetch(url, { method: 'POST', body: BODY })).status).toBe(401);
  expect((await fetch(url)).status).toBe(405);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const webhook = { id: 'first', ...(JSON.parse(BODY) as object) };
  const lines = output.stdout.trim().split('\n');
  expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([
    { ...webhook, isRepeat: false },
    { ...webhook, isRepeat: true },
  ]);
  expect(output.stderr.match(/refused/g)).toHaveLength(2);
  expect(output.stdout + output.stderr).not.toContain(SECRET);
});

test('reports missing settings before it listens', async () => {
  const { output, ended } = launch(['--port', 'x', '--answer', '99'], ' ');
  expect(await ended).toBe(1);
  for (const name of ['WEBHOOK_SECRET', '--port', '--answer'])
    expect(output.stderr).toContain(name);
});

test('prints columns that fit a terminal, without control sequences', () => {
  const line = webhookLine(
    {
      id: 'id-1',
      type: 'payment.succeeded',
      timestamp: '2026-11-21T09:30:00.125Z',
      data: { text: 'x'.repeat(200), escape: '\u009b2J' },
      isRepeat: true,
    },
    80,
  );
  expect(line).toMatch(/^09:30:00 {2}payment\.succeeded {2,}id-1 {2}again {2}\{"text":"x+$/);
  expect(line).toHaveLength(80);
  const short = { id: 'i', type: 't', timestamp: '2026-11-21T09:30:00Z', isRepeat: false };
  expect(webhookLine({ ...short, data: '\u009b2J' }, 200)).toContain('"?2J"');
});
