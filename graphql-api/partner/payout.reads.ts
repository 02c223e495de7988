import { ownReads, platformReads } from '../platform/database/entity-reads.ts';
import { Payout } from './payout.entity.ts';

export const payouts = ownReads(Payout);

export const platformPayouts = platformReads(Payout);
