import type { TablesOf } from '../platform/database/kysely.ts';
import { RejectedEventsReplaySchema } from './replay/replay.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const EVENTS_ENTITIES = [RejectedEventsReplaySchema] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof EVENTS_ENTITIES> {}
}
