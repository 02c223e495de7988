// Loaded into a real process with `--import`. Sets the process's wall clock to a value that a test
// writes to a file. The monotonic clock and timers are unaffected, as on a machine whose clock is
// changed.

import { readFileSync } from 'node:fs';

export const CLOCK_VARIABLE = 'TEST_CLOCK';

/** The offset of the clock, or the time at which it is stopped. */
export type ClockSetting = { readonly shiftMs: number } | { readonly frozenAtMs: number };

const RightDate = Date;
const file = process.env[CLOCK_VARIABLE];

let setting: ClockSetting = { shiftMs: 0 };

/** Read on each call, so that later requests see a new setting. */
function nowMs(): number {
  setting = read() ?? setting;
  return 'frozenAtMs' in setting ? setting.frozenAtMs : RightDate.now() + setting.shiftMs;
}

function read(): ClockSetting | undefined {
  try {
    return JSON.parse(readFileSync(file!, 'utf8')) as ClockSetting;
  } catch {
    // The file does not exist, or is still being written.
    return undefined;
  }
}

if (file !== undefined)
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, args: []) =>
      args.length === 0 ? new target(nowMs()) : new target(...args),
    apply: target => new target(nowMs()).toString(),
    get: (target, name) => (name === 'now' ? nowMs : Reflect.get(target, name)),
  });
