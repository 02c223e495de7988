import type { ChildRecord } from './leftovers.ts';
import type { StartOptions } from './parts.ts';
import { type Part, type Supervised, type SuperviseOptions, supervise } from './supervise.ts';

/**
 * A supervised part with a name. It is recorded, so that a later start can detect it, and stopped with
 * the others.
 */
export async function superviseAs<Running extends Part>(
  name: string,
  { log, started, stopping }: StartOptions,
  children: ChildRecord | undefined,
  start: SuperviseOptions<Running>['start'],
): Promise<Supervised<Running>> {
  const onStart = (running: Running) => children?.add(name, running.pid);
  const part = await supervise<Running>({ name, start, onStart, log, signal: stopping });
  started.push({ name, stop: () => part.stop(), kill: () => part.kill() });
  return part;
}
