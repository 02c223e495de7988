// Runs the demo's approvers in a separate process. A parent that starts it over IPC receives
// `{ kind: 'listening', port }`; the process ends with its parent.

import { serviceTime } from '../../schema/environment/service-time.ts';
import { startApprover } from './server.ts';

const DEFAULT_PORT = '4200';

async function main(): Promise<void> {
  const { env } = process;
  const approver = await startApprover({
    nowMs: serviceTime(env.CLOCK_FILE?.trim() || undefined),
    port: Number(env.APPROVER_PORT?.trim() || DEFAULT_PORT),
    accountId: needed('MESSAGING_APP_ACCOUNT_ID'),
    accessToken: needed('MESSAGING_APP_ACCESS_TOKEN'),
    messagingAppSecret: needed('MESSAGING_APP_SECRET'),
    smsSecret: needed('SMS_REGISTRAR_SECRET'),
    messagingAppWebhook: env.APPROVER_MESSAGING_APP_WEBHOOK,
    smsWebhook: env.APPROVER_SMS_WEBHOOK,
  });
  const stop = () => void approver.stop().finally(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, stop);
  if (process.send === undefined) process.stdout.write(`approver: ${approver.controlUrl}\n`);
  else process.send({ kind: 'listening', port: approver.port });
}

function needed(name: string): string {
  const value = process.env[name]?.trim();
  if (!value) throw new Error(`${name} is required`);
  return value;
}

main().catch((error: unknown) => {
  process.stderr.write(`approver cannot start: ${(error as Error).message}\n`);
  process.exit(1);
});
