import type { z } from 'zod';
import { outboxRowsContract } from '../platform/operations.contract.ts';

/** As everywhere where platform admins mend a page of things by hand. */
export const gatewayEventsReplayContract = outboxRowsContract;
export type GatewayEventsReplay = z.output<typeof gatewayEventsReplayContract>;
