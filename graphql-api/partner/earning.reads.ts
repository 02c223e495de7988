import { ownReads, platformReads } from '../platform/database/entity-reads.ts';
import { Earning } from './earning.entity.ts';

export const earnings = ownReads(Earning);

export const platformEarnings = platformReads(Earning);
