// The service's time, by which the business goes: holds, deadlines, releases, campaigns. It is the machine's,
// unless a file of a development service sets it forward.

import { readFileSync } from 'node:fs';

/** What the file holds, as JSON. */
export type ClockSetting = { readonly aheadMs: number };

/** Every process of the service is ahead within this time. */
const READ_INTERVAL_MS = 50;

/** Milliseconds since 1970. A file that isn't there is a service that nobody has set forward. */
export function serviceTime(clockFile: string | undefined): () => number {
  if (clockFile === undefined) return Date.now;
  let aheadMs = readAheadMs(clockFile);
  let readAtMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - readAtMs >= READ_INTERVAL_MS) {
      readAtMs = nowMs;
      // Never back, whatever becomes of the file.
      aheadMs = Math.max(aheadMs, readAheadMs(clockFile));
    }
    return Date.now() + aheadMs;
  };
}

export function readAheadMs(clockFile: string): number {
  let text: string;
  try {
    text = readFileSync(clockFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  const { aheadMs } = JSON.parse(text) as ClockSetting;
  if (!Number.isSafeInteger(aheadMs) || aheadMs < 0)
    throw new Error(`${clockFile} must hold {"aheadMs": milliseconds}.`);
  return aheadMs;
}
