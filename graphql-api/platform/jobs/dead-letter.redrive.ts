import { type DeadLetterRedrive, REDRIVEN_MAX } from '../operations.contract.ts';
import { reject } from '../rejected.ts';
import type { ActionScope } from '../run-action.ts';
import { lockDeadLetters, redriveDeadLetters } from './dead-letters.ts';

export type Redriven = { readonly redriven: number; readonly hasMore: boolean };

/** Retries dead letters. The organization of a job, if any, is in its data. */
export async function deadLetterRedrive(
  { em, audit }: ActionScope,
  { ids, job }: DeadLetterRedrive,
): Promise<Redriven> {
  const which = { ...(ids && { ids }), ...(job !== undefined && { job }) };
  const found = await lockDeadLetters(em, which, REDRIVEN_MAX + 1);
  const letters = found.slice(0, REDRIVEN_MAX);
  if (ids !== undefined && letters.length < ids.length)
    return reject('NOT_FOUND', {
      field: ['ids'],
      message: 'Some of these jobs do not exist, or were already retried. No job was retried.',
    });
  if (letters.length === 0) return { redriven: 0, hasMore: false };
  const moved = await redriveDeadLetters(
    em,
    letters.map(({ id }) => id),
  );
  if (moved < letters.length) return reject('JOB_UNKNOWN', { field: [ids ? 'ids' : 'job'] });
  for (const { id, job: name } of letters) {
    await audit({
      action: 'dead_letter.redrive',
      subjectType: 'dead_letter',
      subjectId: id,
      after: { job: name },
      organizationId: null,
      workspaceId: null,
    });
  }
  return { redriven: moved, hasMore: found.length > letters.length };
}
