import { sql } from '../../platform/database/kysely.ts';

/** The fields of an event that are posted. */
export type Posted = {
  readonly type: string;
  /** ISO 8601, to the millisecond. */
  readonly occurredAt: string;
  /** The JSON text as Postgres prints it. */
  readonly payload: string;
};

/** The columns of `outbound_events AS event`. */
export const POSTED_COLUMNS = sql`event.type,
         to_char(event.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           AS occurred_at,
         event.payload::text AS payload`;

/** Returns identical bytes for every attempt and for the log. */
export function postedBody({ type, occurredAt, payload }: Posted): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${occurredAt}","data":${payload}}`;
}
