/** An event as it is posted. */
export type Posted = {
  readonly type: string;
  /** ISO 8601, to the millisecond. */
  readonly occurredAt: string;
  /** JSON, as Postgres has it. */
  readonly payload: string;
};

/** Of `outbound_events AS event`. */
export const POSTED_COLUMNS = `event.type,
         to_char(event.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           AS "occurredAt",
         event.payload::text AS payload`;

/** The same bytes on every attempt, and for who looks at the log. */
export function postedBody({ type, occurredAt, payload }: Posted): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${occurredAt}","data":${payload}}`;
}
