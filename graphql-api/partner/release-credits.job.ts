import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { releaseDueCredits } from './credit.release-due.ts';
import { RELEASE_HOUR_UTC } from './release-day.ts';

/**
 * Makes available, each day at 02:00 UTC, the credits whose hold is over. A run is for its day and all
 * before it, so days on which nothing ran are made up for by the next; whatever a run that died has
 * released is not released again.
 */
export const releaseCredits = defineJob({
  name: 'release-credits',
  schedule: `0 ${RELEASE_HOUR_UTC} * * *`,
  data: scheduledData,
  async run(context, { dueAt }, signal) {
    const dueOn = new Date(dueAt).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const { wallets, postings } = await releaseDueCredits(context.deps, dueOn, signal);
    context.note({ dueOn, wallets, postings });
  },
});
