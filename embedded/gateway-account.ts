// The platform's merchant account at the demo's gateway: created on the first start, unless a real
// gateway is configured, or in production.

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEBHOOK_PATH } from '../schema/gateway/webhook-path.ts';
import type { Config } from './config.ts';
import { gatewaySecrets } from './gateway-secrets.ts';

export type GatewayAccount = {
  readonly GATEWAY_CLIENT_ID: string;
  readonly GATEWAY_CLIENT_SECRET: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

const OF_A_REAL_ONE = ['GATEWAY_BASE_URL', 'GATEWAY_CLIENT_ID', 'GATEWAY_CLIENT_SECRET'] as const;
const SECRET_BYTES = 32;
const ID_BYTES = 8;

/** Undefined if no gateway is started. */
export function demoGatewayAccount(dataDir: string, env: Environment): GatewayAccount | undefined {
  const isReal = OF_A_REAL_ONE.some(name => env[name]?.trim());
  if (isReal || env.NODE_ENV === 'production') return undefined;
  const file = join(dataDir, 'gateway-account.json');
  try {
    // Fails if the file exists, whichever process created it.
    writeFileSync(file, `${JSON.stringify(made(), null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return JSON.parse(readFileSync(file, 'utf8')) as GatewayAccount;
}

/** The configuration of the gateway: its accounts, and the addresses and secrets of their webhooks. */
export function gatewayEnvironment(
  { config, env }: { readonly config: Config; readonly env: Environment },
  account: GatewayAccount,
  { ingestUrl, port }: { readonly ingestUrl: string; readonly port: number | undefined },
): Environment {
  return {
    ...env,
    ...gatewaySecrets(config.dataDir, env),
    ...account,
    GATEWAY_PORT: String(port ?? config.gatewayPort),
    GATEWAY_WEBHOOK_URL: new URL(WEBHOOK_PATH, ingestUrl).href,
  };
}

function made(): GatewayAccount {
  return {
    GATEWAY_CLIENT_ID: `demo-${randomBytes(ID_BYTES).toString('hex')}`,
    GATEWAY_CLIENT_SECRET: randomBytes(SECRET_BYTES).toString('base64url'),
  };
}
