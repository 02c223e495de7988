// The clock of the service, for holds, deadlines, releases and campaigns. It equals the clock of the
// machine unless a file sets it forward, in development.

import { readFileSync } from 'node:fs';

/** The content of the file, as JSON. */
export type ClockSetting = { readonly aheadMs: number };

/** Every process follows a change of the file within this time. */
const READ_INTERVAL_MS = 50;

/** Returns milliseconds since 1970. A missing file means no offset. */
export function serviceTime(clockFile: string | undefined): () => number {
  if (clockFile === undefined) return Date.now;
  let aheadMs = readAheadMs(clockFile);
  let readAtMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - readAtMs >= READ_INTERVAL_MS) {
      readAtMs = nowMs;
      // The clock never goes back, even if the file is changed or removed.
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
    throw new Error(`${clockFile} must contain {"aheadMs": milliseconds}.`);
  return aheadMs;
}
