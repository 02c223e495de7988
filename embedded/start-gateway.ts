import { join } from 'node:path';
import { type RunningChild, startChild } from './child.ts';
import { demoGatewayAccount, gatewayEnvironment } from './gateway-account.ts';
import type { ChildRecord } from './leftovers.ts';
import type { StartOptions } from './parts.ts';
import { LOOPBACK } from './ports.ts';
import { superviseAs } from './supervise-as.ts';

/** Its state is not stored, so the stop does not wait. */
const GATEWAY_STOP_MS = 2_000;

type GatewayEnvironment = Partial<Readonly<Record<`GATEWAY_${string}`, string>>>;

/**
 * A gateway for development, unless the environment configures a real one; returns the API's
 * settings for it.
 */
export async function startGateway(
  options: StartOptions,
  children: ChildRecord,
  ingestUrl: string,
): Promise<GatewayEnvironment> {
  const account = demoGatewayAccount(options.config.dataDir, options.env);
  if (account === undefined) return {};
  const gateway = await superviseAs<RunningChild>(
    'gateway',
    options,
    children,
    (previous, onExit, signal) =>
      startChild({
        name: 'the gateway',
        module: join(import.meta.dirname, 'gateway', 'main.ts'),
        args: ['--data-dir', options.config.dataDir],
        env: gatewayEnvironment(options, account, { ingestUrl, port: previous?.port }),
        stopTimeoutMs: GATEWAY_STOP_MS,
        onExit,
        signal,
      }),
  );
  return { ...account, GATEWAY_BASE_URL: `http://${LOOPBACK}:${gateway.current().port}/pg` };
}
