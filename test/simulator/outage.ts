// A period in which Postgres, the warehouse or both are unavailable, each in its own way, while
// clients continue to send. Afterwards, work resumes within seconds, regardless of the duration of the outage.

import type { RecentIds } from '../../ingest/accept/recent-ids.ts';
import type { CellPipeline } from '../../ingest/cell-pipeline.ts';
import { type Availability, WAYS_TO_BE_AWAY } from './availability.ts';
import { send } from './traffic.ts';
import type { World } from './world.ts';

/** From ten seconds to three hours, on a logarithmic scale. */
const SHORTEST_MS_LOG10 = 4;
const LONGEST_MS_LOG10 = 7.03;
const STEP_MS = 700;
const SENDS_MAX = 12;
/** Guaranteed by ingest. */
const BEGINS_WITHIN_MS = 5_000;
const LOOK_MS = 100;

export async function liveThroughOutage(
  world: World,
  pipeline: CellPipeline,
  recent: RecentIds,
): Promise<void> {
  const { random, warehouse, postgres } = world;
  const databases = random.pick([[postgres], [warehouse], [postgres, warehouse]] as const);
  for (const database of databases) database.leave(random.pick(WAYS_TO_BE_AWAY));
  const luck = SHORTEST_MS_LOG10 + world.chance() * (LONGEST_MS_LOG10 - SHORTEST_MS_LOG10);
  const steps = Math.ceil(10 ** luck / STEP_MS);
  for (let step = 0; step < steps; step++) {
    if (world.chance() < SENDS_MAX / steps) send(world, pipeline, recent);
    await world.pass(STEP_MS);
    pipeline.tick();
  }
  world.warehouse.faultRate = 0;
  world.postgres.faultRate = 0;
  for (const { availability } of databases) availability.comeBack();
  const waiting = databases.filter(({ availability }) => availability.triedWhileAway > 0);
  for (let ms = 0; ms < BEGINS_WITHIN_MS; ms += LOOK_MS) {
    await world.pass(LOOK_MS);
    pipeline.tick();
  }
  for (const { availability } of waiting) if (!hasBegun(availability)) world.violations.push(IDLE);
}

const IDLE = 'work does not resume within 5 s after a database is available again';

function hasBegun({ doneSinceBack }: Availability): boolean {
  return doneSinceBack > 0;
}
