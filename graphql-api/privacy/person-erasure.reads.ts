import { workspaceReads } from '../platform/database/entity-reads.ts';
import { PersonErasure } from './person-erasure.entity.ts';

export const personErasures = workspaceReads(PersonErasure);
