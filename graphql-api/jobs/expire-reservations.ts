import { expireReservations } from '../actions/wallet/expire-reservations.ts';
import { defineJob, scheduledData } from './job.ts';

/** Gives back, each hour, the credits that waited too long for their invoice. */
export const expireOldReservations = defineJob({
  name: 'expire-reservations',
  schedule: '41 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    context.note({ reservations: await expireReservations(context.deps, signal) });
  },
});
