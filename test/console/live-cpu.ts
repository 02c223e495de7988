// Measures the browser's CPU time with the live view open, while the shop of the running demo sends
// 100 events per second.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { useRunningDemo } from './harness/running-demo.ts';

const EVENTS_PER_SECOND = 100;
const ROUNDS = 3;
const ROUND_MS = 40_000;
/** Of Linux, for `utime` and `stime` in /proc. */
const TICKS_PER_SECOND = 100;

async function main(): Promise<void> {
  const options = { eventsPerSecond: EVENTS_PER_SECOND, onNote: complain };
  await useRunningDemo(options, async ({ demo, browser, directory }) => {
    const page = await browser.newPage({ baseURL: demo.baseUrl });
    await page.goto(`/console/live#token=${demo.accessToken}`);
    await page.getByText('Order Completed').nth(2).waitFor();
    for (let round = 1; round <= ROUNDS; round++) {
      const percent = await percentOfCore(directory);
      process.stdout.write(`round ${round}: ${percent.toFixed(1)}% of a core\n`);
    }
  });
}

async function percentOfCore(directory: string): Promise<number> {
  const [before, startedMs] = [await cpuSeconds(directory), performance.now()];
  await sleep(ROUND_MS);
  const seconds = (performance.now() - startedMs) / 1000;
  return (((await cpuSeconds(directory)) - before) / seconds) * 100;
}

/** Of all processes of the browser in this directory. */
async function cpuSeconds(directory: string): Promise<number> {
  let ticks = 0;
  for (const id of await readdir('/proc')) {
    if (!/^\d+$/.test(id)) continue;
    // A process may end in the meantime.
    const [command, stat] = await Promise.all(
      ['cmdline', 'stat'].map(name => readFile(join('/proc', id, name), 'utf8').catch(() => '')),
    );
    if (!command!.startsWith(directory)) continue;
    const fields = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

function complain(text: string): void {
  process.stderr.write(`live-cpu: ${text}\n`);
}

main().catch((error: unknown) => {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
