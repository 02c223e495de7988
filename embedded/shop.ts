// npm run shop: simulates a small shop on the running demo, so that the console has data to show.

import { parseArgs } from 'node:util';
import { CONSOLE_PATH } from '../graphql-api/app/console-path.ts';
import { readConfig } from './config.ts';
import { demoTokens } from './demo-tokens.ts';
import { findDemo } from './find-demo.ts';
import type { ShopDemo } from './shop/ask.ts';
import { openShop } from './shop/open-shop.ts';
import { RATE_MAX } from './shop/send-traffic.ts';
import type { Tally } from './shop/tally.ts';

const DEFAULT_RATE = '7';
const RATE_MIN = 0.1;
const USAGE = `Usage: npm run shop -- [options]

  --rate N      events per second, ${RATE_MIN} to ${RATE_MAX} (default: ${DEFAULT_RATE})
  --seconds N   stops after N seconds (default: runs until Ctrl-C)

Simulates a small shop in the demo of the service that runs in DATA_DIR. People view products, and
some of them place orders; some of the events are rejected. People see campaigns, and a customer
pays for an order every 20 seconds. The webhook receiver of the shop sometimes fails. Watch the shop
in the console.
`;
const TERMINAL_PROGRESS_MS = 1_000;
const PROGRESS_MS = 10_000;
/** The maximum delay of a timer. */
const SECONDS_MAX = 2_000_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: DEFAULT_RATE },
      seconds: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { stdout, stderr } = process;
  if (values.help) {
    stdout.write(USAGE);
    return;
  }
  const [rate, seconds] = [Number(values.rate), Number(values.seconds ?? SECONDS_MAX)];
  const faults = [
    !isBetween(rate, RATE_MIN, RATE_MAX) && `--rate must be from ${RATE_MIN} to ${RATE_MAX}`,
    !isBetween(seconds, 1, SECONDS_MAX) && `--seconds must be from 1 to ${SECONDS_MAX}`,
  ].filter(fault => fault !== false);
  if (faults.length > 0) throw new Error(`${faults.join('; ')}\n\n${USAGE}`);
  const demo = await readDemo();
  const ending = new AbortController();
  const end = () => ending.abort();
  // npm repeats a Ctrl-C that the terminal has already sent, so a second one is ignored.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  // The reader has closed the pipe, as `head` does.
  stdout.on('error', end);
  const onNote = (note: string) => stderr.write(`shop: ${note}\n`);
  const { tally, closed } = await openShop(demo, { rate, signal: ending.signal, onNote });
  if (values.seconds !== undefined) setTimeout(end, seconds * 1_000).unref();
  stdout.write(
    `The shop is open. Watch it at ${demo.baseUrl}${CONSOLE_PATH}. Press Ctrl-C to close it.\n`,
  );
  const stopProgress = showProgress(tally);
  try {
    await closed;
  } finally {
    stopProgress();
    stdout.write(`The shop is closed: ${tally.text()}.\n`);
  }
}

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

async function readDemo(): Promise<ShopDemo> {
  const config = readConfig(process.env);
  const { opened, tenant } = await findDemo(config.dataDir);
  const accessToken = async () => {
    const tokens = await demoTokens(config, tenant);
    if (tokens !== undefined) return tokens.owner;
    throw new Error(
      'The shop needs a token for the demo’s owner. Such a token cannot be created in production or if another issuer provides the tokens.',
    );
  };
  // Fails before anything is sent.
  await accessToken();
  const { baseUrl, gatewayUrl } = opened;
  return { ...tenant, baseUrl, gatewayUrl, accessToken };
}

/** One line that is overwritten or, in a pipe, a line from time to time. */
function showProgress(tally: Tally): () => void {
  const { stdout } = process;
  if (!stdout.isTTY) {
    const timer = setInterval(() => stdout.write(`${tally.text()}\n`), PROGRESS_MS);
    return () => clearInterval(timer);
  }
  const clear = '\r\u001b[K';
  const timer = setInterval(() => {
    // A wrapped line cannot be overwritten.
    stdout.write(`${clear}${tally.text().slice(0, (stdout.columns || 80) - 1)}`);
  }, TERMINAL_PROGRESS_MS);
  return () => {
    clearInterval(timer);
    stdout.write(clear);
  };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`shop: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
