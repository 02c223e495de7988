import type { TablesOf } from '../platform/database/kysely.ts';
import { JourneyDefinitionSchema } from './definition.entity.ts';
import { EnrolmentSchema } from './enrolment.entity.ts';
import { EnrolmentOverrideSchema } from './enrolment-override.entity.ts';
import { JourneySchema } from './journey.entity.ts';
import { JourneySnapshotSchema } from './snapshot.entity.ts';
import { JourneySnapshotPinSchema } from './snapshot-pin.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const JOURNEYS_ENTITIES = [
  EnrolmentOverrideSchema,
  EnrolmentSchema,
  JourneyDefinitionSchema,
  JourneySchema,
  JourneySnapshotPinSchema,
  JourneySnapshotSchema,
] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof JOURNEYS_ENTITIES> {}
}
