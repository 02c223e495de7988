import { type Problem, problem } from '../../schema/values/problem.ts';
import type { EventLog } from '../accept/event-log.ts';
import type { Account } from '../authenticate/directory.ts';
import { RETRY_AFTER_SECONDS } from '../limits.ts';

/** Accepts the rows of a cell. */
export type CellIntake = {
  /** The log to append to in this turn of the event loop; undefined if it accepts nothing now. */
  writableLog(): EventLog | undefined;
  /** Whether there is room for more rows, or why not. */
  room(): string;
  /** What is missing while `writableLog` returns undefined. */
  readonly notWritable: 'no segment' | 'no broker';
};

export type CellOf = (slug: string) => CellIntake | undefined;

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
): EventLog | undefined {
  return pipelineOf(cell.slug)?.writableLog();
}

/**
 * For endpoints that need only Postgres. A cell that is full or has no address does not affect
 * them.
 */
export function switchedOffRefusal({ cell }: Pick<Account, 'cell'>): Problem | undefined {
  return cell.isEnabled ? undefined : CELL_UNAVAILABLE;
}
