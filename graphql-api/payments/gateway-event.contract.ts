import type { z } from 'zod';
import { outboxRowsContract } from '../platform/operations.contract.ts';

/** The same limit as for the other replays by platform admins. */
export const gatewayEventsReplayContract = outboxRowsContract;
export type GatewayEventsReplay = z.output<typeof gatewayEventsReplayContract>;
