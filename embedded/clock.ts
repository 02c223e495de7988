// npm run clock -- +31d: sets the service of DATA_DIR forward, for development. All processes apply it
// immediately.

import { parseArgs } from 'node:util';
import { readAheadMs } from '../schema/environment/service-time.ts';
import { MINUTE_MS } from '../schema/values/durations.ts';
import { readConfig } from './config.ts';
import { clockFile, writeClock } from './opened.ts';

const USAGE = `Usage: npm run -s clock [-- +DURATION]

Sets the clock of the service in DATA_DIR forward by a number of days (+31d), hours (+12h) or minutes (+30m), and
prints the resulting time. Without a duration, the command only prints the time. The clock never goes back, and
restarts do not reset it.
`;
const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};
/** Far beyond the longest rule there is; the warehouse keeps times up to the year 2105. */
const AHEAD_MS_MAX = 20 * 365 * 24 * 60 * MINUTE_MS;

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (process.env.NODE_ENV === 'production')
    throw new Error('In production, the service uses the machine’s clock.');
  const { dataDir } = readConfig(process.env);
  const aheadMs = readAheadMs(clockFile(dataDir)) + durationMs(positionals);
  if (aheadMs > AHEAD_MS_MAX) throw new Error('The clock can be at most 20 years ahead.');
  if (positionals.length > 0) writeClock(dataDir, { aheadMs });
  const shown = new Date(Date.now() + aheadMs).toISOString();
  process.stdout.write(`${shown} (${ahead(aheadMs)})\n`);
}

function durationMs(given: readonly string[]): number {
  if (given.length === 0) return 0;
  const read = /^\+(\d{1,5})([mhd])$/.exec(given.length === 1 ? given[0]! : '');
  if (read === null)
    throw new Error(`The duration must have the form +31d, +12h or +30m.\n\n${USAGE}`);
  return Number(read[1]) * UNITS_MS[read[2]!]!;
}

function ahead(ms: number): string {
  if (ms === 0) return 'the machine’s clock';
  const parts = Object.entries(UNITS_MS).toReversed();
  let left = ms;
  const words = parts.flatMap(([unit, unitMs]) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return `${words.join(' ')} ahead of the machine’s clock`;
}

try {
  main();
} catch (error) {
  process.stderr.write(`clock: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
