import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewaySecrets } from '../../embedded/gateway-secrets.ts';
import { newDirectory } from '../harness/run-directory.ts';

test('two secrets are created once per data directory, readable only by its owner', async () => {
  const dataDir = await newDirectory('gateway-secrets');
  const made = gatewaySecrets(dataDir, {});
  const texts = Object.values(made) as string[];
  expect(Object.keys(made)).toEqual([
    'GATEWAY_WEBHOOK_SECRET',
    'GATEWAY_ABANDONED_CHECKOUT_SECRET',
  ]);
  expect(new Set(texts).size).toBe(2);
  for (const text of texts) expect(text).toMatch(/^[\w-]{43}$/);
  expect(gatewaySecrets(dataDir, { GATEWAY_WEBHOOK_SECRET: ' ' })).toEqual(made);
  const { mode } = await stat(join(dataDir, 'gateway-secrets.json'));
  expect(mode & 0o777).toBe(0o600);
});

test('no secret is created if one is configured, or in production', async () => {
  const dataDir = await newDirectory('gateway-secrets');
  expect(gatewaySecrets(dataDir, { GATEWAY_ABANDONED_CHECKOUT_SECRET: 'given' })).toEqual({});
  expect(gatewaySecrets(dataDir, { NODE_ENV: 'production' })).toEqual({});
  await expect(stat(join(dataDir, 'gateway-secrets.json'))).rejects.toThrow('ENOENT');
});
