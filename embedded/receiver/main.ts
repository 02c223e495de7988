// npm run receive: an example of a webhook receiver. It listens on the loopback interface only,
// rejects unsigned requests and prints the others.

import { parseArgs } from 'node:util';
import { webhookLine } from './line.ts';
import { startReceiver } from './server.ts';

const DEFAULT_PORT = '4300';
const DEFAULT_STATUS = '204';
const USAGE = `Usage: WEBHOOK_SECRET=whsec_… npm run -s receive -- [options]

  --port PORT      the port on 127.0.0.1 (default: ${DEFAULT_PORT}; 0 selects a free port)
  --answer STATUS  the response status for verified webhooks (default: ${DEFAULT_STATUS}), such as 503 to see retries

Prints one verified webhook per line, as columns in a terminal and as JSON in a pipe.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: DEFAULT_PORT },
      answer: { type: 'string', default: DEFAULT_STATUS },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { stdout, stderr, env } = process;
  if (values.help) {
    stdout.write(USAGE);
    return;
  }
  const [port, status] = [Number(values.port), Number(values.answer)];
  const secret = env.WEBHOOK_SECRET?.trim();
  const faults = [
    !secret && 'WEBHOOK_SECRET must be the secret of the endpoint',
    !isBetween(port, 0, 65_535) && '--port must be a port number',
    !isBetween(status, 200, 599) && '--answer must be a status from 200 to 599',
  ].filter(fault => fault !== false);
  if (faults.length > 0) throw new Error(`${faults.join('; ')}\n\n${USAGE}`);
  const receiver = await startReceiver({
    port,
    secret: secret!,
    status,
    onWebhook: webhook => stdout.write(`${webhookLine(webhook, terminalWidth())}\n`),
    onRefused: reason => stderr.write(`receive: refused: ${reason}\n`),
  });
  stderr.write(`receive: listening at ${receiver.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void receiver.stop().finally(() => process.exit(0)));
}

/** Returns undefined if stdout is not a terminal. Some terminals do not report their width. */
function terminalWidth(): number | undefined {
  const { isTTY, columns } = process.stdout;
  return isTTY ? columns || Number.POSITIVE_INFINITY : undefined;
}

function isBetween(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

main().catch((error: unknown) => {
  process.stderr.write(`receive: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
