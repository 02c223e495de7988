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

export type Warm = {
  /** The number of acknowledged events. */
  readonly acknowledged: number;
  /** The number of requests that a server refused because it was not ready. */
  readonly refused: number;
  readonly failedIds: readonly string[];
};

export async function warmUp(
  load: Load,
  { pid }: Pick<Server, 'pid'>,
  signal: AbortSignal,
  stepsMax = STEPS_MAX,
): Promise<Warm> {
  const start = totalSeconds(cpuOf(pid));
  let [acknowledged, refused] = [0, 0];
  const failedIds: string[] = [];
  for (let step = 0; step < stepsMax; step++) {
    signal.throwIfAborted();
    const warm = await load.run({ seconds: STEP_SECONDS });
    if (warm.failed > warm.unavailable) throw new Error(`The warm-up failed: ${warm.firstFailure}`);
    acknowledged += warm.acknowledged;
    refused += warm.unavailable;
    failedIds.push(...warm.failedIds);
    if (totalSeconds(cpuOf(pid)) - start >= CPU_SECONDS) break;
  }
  return { acknowledged, refused, failedIds };
}
