import type { Load } from './load.ts';
import { cpuOf, totalSeconds } from './process-usage.ts';
import type { Server } from './servers.ts';

/**
 * The CPU time of a server after which Node has compiled its hot code, even if little CPU time is
 * available.
 */
const CPU_SECONDS = 3;
const STEP_SECONDS = 1;
const STEPS_MAX = 15;

/** Returns the number of acknowledged events. */
export async function warmUp(
  load: Load,
  { pid }: Pick<Server, 'pid'>,
  signal: AbortSignal,
  stepsMax = STEPS_MAX,
): Promise<number> {
  const start = totalSeconds(cpuOf(pid));
  let acknowledged = 0;
  for (let step = 0; step < stepsMax; step++) {
    signal.throwIfAborted();
    const warm = await load.run({ seconds: STEP_SECONDS });
    if (warm.failed > 0) throw new Error(`The warm-up failed: ${warm.firstFailure}`);
    acknowledged += warm.acknowledged;
    if (totalSeconds(cpuOf(pid)) - start >= CPU_SECONDS) break;
  }
  return acknowledged;
}
