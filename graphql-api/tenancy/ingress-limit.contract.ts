import { z } from 'zod';

/** The column's range. */
const EVENTS_MAX = 2_147_483_647;

export const eventsPerMinute = z
  .int({ error: 'must be a whole number.' })
  .min(1, { error: 'must be at least 1.' })
  .max(EVENTS_MAX, { error: `must be at most ${EVENTS_MAX}.` });

export const ingressLimitSetContract = z.strictObject({
  organizationId: z.uuid(),
  /** Null applies the default of the organization's cells. */
  eventsPerMinute: eventsPerMinute.nullable(),
});
export type IngressLimitSet = z.output<typeof ingressLimitSetContract>;
