import { notifications } from '@mantine/notifications';
import { inCount } from '../../../pieces/in-words.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { REDRIVE } from './dead-letters-query.ts';

type Retried = { readonly ids: readonly string[] } | { readonly job: string };

type Retry = {
  /** False if it was refused. */
  readonly retry: (what: Retried) => Promise<boolean>;
  readonly isRunning: boolean;
};

const MESSAGES = {
  NOT_FOUND: 'Some of these jobs were retried in the meantime, so none were retried now.',
  JOB_UNKNOWN: 'This release no longer has the job, so it can’t be retried.',
};

/** Queues failed jobs again, and says how many. */
export function useRetry(): Retry {
  const { run, isRunning } = useAction(REDRIVE, { changes: ['DeadLetter'], messages: MESSAGES });
  const retry = async (what: Retried) => {
    const input = 'job' in what ? { job: what.job } : { ids: [...what.ids] };
    const done = (await run({ input }))?.deadLetterRedrive;
    if (!done) return false;
    notifications.show({ message: inWords(done.redriven ?? 0, done.hasMore ?? false) });
    return true;
  };
  return { retry, isRunning };
}

function inWords(count: number, hasMore: boolean): string {
  const jobs = count === 1 ? '1 job was' : `${inCount(count)} jobs were`;
  return `${jobs} queued again.${hasMore ? ' There are more: retry once these are done.' : ''}`;
}
