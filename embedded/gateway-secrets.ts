// The secrets with which the demo's gateway signs webhooks and ingest verifies them: from the
// environment, or created on the first start. A real gateway creates its own secrets, so none is
// created if one is configured, nor in production.

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type GatewaySecrets = {
  readonly GATEWAY_WEBHOOK_SECRET: string;
  readonly GATEWAY_ABANDONED_CHECKOUT_SECRET: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_BYTES = 32;

/** Empty if the environment has all secrets. */
export function gatewaySecrets(dataDir: string, env: Environment): GatewaySecrets | object {
  const isGiven =
    env.GATEWAY_WEBHOOK_SECRET?.trim() || env.GATEWAY_ABANDONED_CHECKOUT_SECRET?.trim();
  if (isGiven || env.NODE_ENV === 'production') return {};
  const file = join(dataDir, 'gateway-secrets.json');
  try {
    // Fails if the file exists, whichever process created it.
    writeFileSync(file, `${JSON.stringify(made(), null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return JSON.parse(readFileSync(file, 'utf8')) as GatewaySecrets;
}

function made(): GatewaySecrets {
  const secret = () => randomBytes(SECRET_BYTES).toString('base64url');
  return { GATEWAY_WEBHOOK_SECRET: secret(), GATEWAY_ABANDONED_CHECKOUT_SECRET: secret() };
}
