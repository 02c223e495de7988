import type { TablesOf } from '../platform/database/kysely.ts';
import { SegmentSchema } from './segment.entity.ts';
import { SegmentMemberSchema } from './segment-member.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const SEGMENTS_ENTITIES = [SegmentMemberSchema, SegmentSchema] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof SEGMENTS_ENTITIES> {}
}
