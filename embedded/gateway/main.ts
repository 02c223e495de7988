// Runs the demo's gateway in its own process. If it is started over IPC, it sends `{ kind:
// 'listening', port }` and exits with its parent.

import { serviceTime } from '../../schema/environment/service-time.ts';
import { startGateway } from './server.ts';

const DEFAULT_PORT = '4100';

async function main(): Promise<void> {
  const { env } = process;
  const [clientId, clientSecret] = [env.GATEWAY_CLIENT_ID, env.GATEWAY_CLIENT_SECRET];
  if (!clientId || !clientSecret)
    throw new Error('GATEWAY_CLIENT_ID and GATEWAY_CLIENT_SECRET are required');
  const gateway = await startGateway({
    nowMs: serviceTime(env.CLOCK_FILE?.trim() || undefined),
    port: Number(env.GATEWAY_PORT?.trim() || DEFAULT_PORT),
    accounts: [
      {
        clientId,
        clientSecret,
        webhookUrl: env.GATEWAY_WEBHOOK_URL,
        webhookSecret: env.GATEWAY_WEBHOOK_SECRET,
        abandonedSecret: env.GATEWAY_ABANDONED_CHECKOUT_SECRET,
      },
    ],
  });
  const stop = () => void gateway.stop().finally(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, stop);
  if (process.send === undefined) process.stdout.write(`gateway: ${gateway.baseUrl}\n`);
  else process.send({ kind: 'listening', port: gateway.port });
}

main().catch((error: unknown) => {
  process.stderr.write(`gateway cannot start: ${(error as Error).message}\n`);
  process.exit(1);
});
