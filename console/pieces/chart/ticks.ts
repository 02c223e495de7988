const TICKS_MAX = 5;
const NICE = [1, 2, 5, 10];

/** Round numbers from 0 to at least the highest value, for an axis of counts. */
export function ticksTo(highest: number): number[] {
  const step = stepOf(Math.max(highest, 1) / (TICKS_MAX - 1));
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, NICE.find(nice => nice * power >= least)! * power);
}
