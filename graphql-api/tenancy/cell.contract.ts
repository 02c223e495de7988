import { z } from 'zod';
import { eventsPerMinute } from './ingress-limit.contract.ts';

/** Omitted fields are unchanged; null removes the limit. */
export const cellUpdateContract = z.strictObject({
  id: z.uuid(),
  isEnabled: z.boolean().optional(),
  ingressEventsPerMinute: eventsPerMinute.nullish(),
});
export type CellUpdate = z.output<typeof cellUpdateContract>;
