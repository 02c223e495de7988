import { ownReads } from '../platform/database/entity-reads.ts';
import { Conversion } from './conversion.entity.ts';
import { Redemption } from './redemption.entity.ts';

export const redemptions = ownReads(Redemption);

export const conversions = ownReads(Conversion);
