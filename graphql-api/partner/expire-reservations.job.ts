import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { expireReservations } from './redemption.expire-reservations.ts';

/** Releases expired reservations of credits, every hour. */
export const expireOldReservations = defineJob({
  name: 'expire-reservations',
  schedule: '41 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    context.note({ reservations: await expireReservations(context.deps, signal) });
  },
});
