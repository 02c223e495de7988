import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { expireReservations } from './redemption.expire-reservations.ts';

/** Gives back, each hour, the credits that waited too long for their invoice. */
export const expireOldReservations = defineJob({
  name: 'expire-reservations',
  schedule: '41 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    context.note({ reservations: await expireReservations(context.deps, signal) });
  },
});
