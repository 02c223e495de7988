import type { TablesOf } from '../platform/database/kysely.ts';
import { CellMoveSchema } from './cell-move.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const MOVES_ENTITIES = [CellMoveSchema] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof MOVES_ENTITIES> {}
}
