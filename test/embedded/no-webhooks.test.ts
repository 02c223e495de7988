// Tenants choose their webhook URLs, and could choose those of the development gateway and
// approver.

import { expect, onTestFinished, test } from 'vitest';
import { startApprover } from '../../embedded/approver/server.ts';
import { startGateway } from '../../embedded/gateway/server.ts';
import { WEBHOOK_HEADERS } from '../../embedded/webhook-headers.ts';

const SECRETS = {
  accountId: 'demo',
  accessToken: 'token',
  messagingAppSecret: 'secret',
  smsSecret: 'secret',
};

test.each([
  ['gateway', () => startGateway({ port: 0 }), 'requests'],
  ['approver', () => startApprover({ port: 0, ...SECRETS }), 'requests'],
] as const)('the %s rejects webhooks', async (_name, start, call) => {
  const running = await start();
  onTestFinished(() => running.stop());
  const post = async (headers: Record<string, string>) =>
    (await fetch(`${running.controlUrl}/${call}`, { method: 'POST', headers, body: '{}' })).status;
  expect(await post({})).toBe(200);
  for (const name of WEBHOOK_HEADERS) expect(await post({ [name]: 'a' })).toBe(403);
});
