import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { releaseDueCredits } from './credit.release-due.ts';
import { RELEASE_HOUR_UTC } from './release-day.ts';

/**
 * Releases the credits whose hold period has ended, each day at 02:00 UTC. A run covers its day and
 * all earlier days, so missed days are caught up. Credits that an interrupted run has released are
 * not released again.
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
