import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  MESSAGING_APP_WEBHOOK_PATH,
  SMS_WEBHOOK_PATH,
} from '../graphql-api/templates/approval/webhook-paths.ts';
import { type RunningChild, startChild } from './child.ts';
import type { ChildRecord } from './leftovers.ts';
import type { StartOptions } from './parts.ts';
import { LOOPBACK } from './ports.ts';
import { superviseAs } from './supervise-as.ts';

export type StartedApprover = {
  /** The API's settings for it; empty if there is none. */
  readonly environment: Readonly<Record<string, string>>;
  /** Verdicts are sent to this URL from now on. */
  announce(apiUrl: string): Promise<void>;
};

const SECRET_BYTES = 24;
/** It either responds immediately or has no requests in progress. */
const STOP_MS = 2_000;
const OF_A_REAL_ONE = ['MESSAGING_APP_ACCESS_TOKEN', 'SMS_REGISTRAR_TOKEN'] as const;

/**
 * Approvers for development, unless the environment configures real ones, or in production. They
 * lose their state with their process: earlier templates are then MISSING.
 */
export async function startApprover(
  options: StartOptions,
  children: ChildRecord,
): Promise<StartedApprover> {
  const { env, config } = options;
  const isReal = OF_A_REAL_ONE.some(name => env[name]?.trim());
  if (isReal || env.NODE_ENV === 'production')
    return { environment: {}, announce: () => Promise.resolve() };
  const secret = () => randomBytes(SECRET_BYTES).toString('base64url');
  const token = secret();
  const shared = {
    MESSAGING_APP_ACCOUNT_ID: 'demo',
    MESSAGING_APP_ACCESS_TOKEN: token,
    MESSAGING_APP_SECRET: secret(),
    MESSAGING_APP_VERIFY_TOKEN: secret(),
    SMS_REGISTRAR_TOKEN: token,
    SMS_REGISTRAR_SECRET: secret(),
  };
  let targets: Readonly<Record<string, string>> = {};
  const part = await superviseAs<RunningChild>(
    'approver',
    options,
    children,
    (previous, onExit, signal) =>
      startChild({
        name: 'the approver',
        module: join(import.meta.dirname, 'approver', 'main.ts'),
        args: ['--data-dir', config.dataDir],
        env: { ...env, ...shared, ...targets, APPROVER_PORT: String(previous?.port ?? 0) },
        stopTimeoutMs: STOP_MS,
        onExit,
        signal,
      }),
  );
  const url = `http://${LOOPBACK}:${part.current().port}`;
  return {
    environment: {
      ...shared,
      MESSAGING_APP_API_URL: `${url}/v23.0`,
      SMS_REGISTRAR_URL: `${url}/registrar`,
    },
    async announce(apiUrl) {
      const [messagingApp, sms] = [MESSAGING_APP_WEBHOOK_PATH, SMS_WEBHOOK_PATH].map(
        path => new URL(path, apiUrl).href,
      ) as [string, string];
      // Also after a restart.
      targets = { APPROVER_MESSAGING_APP_WEBHOOK: messagingApp, APPROVER_SMS_WEBHOOK: sms };
      const body = JSON.stringify({ messaging_app: messagingApp, sms });
      await fetch(`${url}/control/targets`, { method: 'POST', body });
    },
  };
}
