import { sql } from '../platform/database/kysely.ts';

/**
 * The segments that live campaigns and active journeys use, as rows of `segment_id`. A campaign that
 * has ended may be counted.
 */
export const SEGMENTS_IN_USE = sql`
  SELECT (named.value #>> '{}')::uuid AS segment_id
  FROM campaigns
  CROSS JOIN LATERAL jsonb_path_query(audience, 'strict $.**.segment_id') AS named (value)
  WHERE status = 'LIVE'
  UNION
  SELECT entry_segment_id FROM journeys
  WHERE status = 'ACTIVE' AND entry_segment_id IS NOT NULL`;
