import { type Problem, problem } from '../../schema/values/problem.ts';
import type { Account } from '../authenticate/directory.ts';
import type { CellPipeline } from '../cell-pipeline.ts';
import { RETRY_AFTER_SECONDS } from '../limits.ts';
import type { SpoolLog } from '../spool/spool-log.ts';

export type CellOf = (slug: string) => CellPipeline | undefined;

export const UNAVAILABLE = problem('UNAVAILABLE', undefined, RETRY_AFTER_SECONDS);
const CELL_UNAVAILABLE = problem('CELL_UNAVAILABLE', undefined, RETRY_AFTER_SECONDS);

/**
 * Why the account's cell accepts no rows now: it is disabled or full, or has no open segment yet.
 */
export function cellRefusal(
  pipelineOf: CellOf,
  { cell }: Pick<Account, 'cell'>,
): Problem | undefined {
  const pipeline = pipelineOf(cell.slug);
  if (!cell.isEnabled || pipeline === undefined || pipeline.room() !== 'room')
    return CELL_UNAVAILABLE;
  return pipeline.writableLog() === undefined ? UNAVAILABLE : undefined;
}

/** Undefined if the cell has stopped accepting rows since `cellRefusal`, during a wait for a cap. */
export function writableLog(
  pipelineOf: CellOf,
  { cell }: Pick<Account, 'cell'>,
): SpoolLog | undefined {
  return pipelineOf(cell.slug)?.writableLog();
}

/**
 * For endpoints that need only Postgres. A cell that is full or has no address does not affect
 * them.
 */
export function switchedOffRefusal({ cell }: Pick<Account, 'cell'>): Problem | undefined {
  return cell.isEnabled ? undefined : CELL_UNAVAILABLE;
}
