// What an erasure says about the tables, in the words of the console.

import { rowsByOutcome } from '../../../pieces/erased-rows.ts';
import { isUnderWay } from '../../../pieces/erasure-progress.ts';
import { inCount } from '../../../pieces/in-words.ts';
import type { ErasedTable, Erasure } from './erasures-query.ts';

export function outcomeInWords({ outcome, left }: ErasedTable, erasure: Erasure): string {
  const isDone = !isUnderWay(erasure) && left === 0;
  if (outcome === 'DELETED') return isDone ? 'Deleted' : 'To delete';
  if (outcome === 'REDACTED') return isDone ? 'Values removed' : 'Values to remove';
  return 'Kept';
}

/** For example "31 deleted, values removed from 2"; unknown until the rows are counted. */
export function resultInWords(erasure: Erasure): string {
  if (erasure.tables.length === 0) return '–';
  const { deleted, redacted } = rowsByOutcome(erasure.tables);
  const [rows, values] = isUnderWay(erasure)
    ? ['to delete', 'values to remove from']
    : ['deleted', 'values removed from'];
  const removed = redacted === 0 ? '' : `, ${values} ${inCount(redacted)}`;
  return `${inCount(deleted)} ${rows}${removed}`;
}

/** Why an erasure is not completed yet. */
export function standingInWords({ state, lateDays }: Erasure): string {
  const days = lateDays === 1 ? '1 day' : `${inCount(lateDays)} days`;
  switch (state) {
    case 'QUEUED':
      return 'The deletion starts within seconds, or after other erasures.';
    case 'RUNNING':
      return 'The rows are being deleted. This takes from seconds to minutes.';
    case 'SETTLING':
      return 'Events that were accepted before the deletion can still be written. The next check deletes them.';
    case 'WATCHING':
      return `Devices that were offline can still send events of this person. A check deletes these events once a day, for ${days}.`;
    case 'COMPLETED':
      return 'The last check found no rows of this person.';
  }
}
