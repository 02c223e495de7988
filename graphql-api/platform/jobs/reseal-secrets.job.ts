import { reseal } from '../reseal.ts';
import { defineJob, scheduledData } from './job.ts';

/** Reseals with the first of ENCRYPTION_KEYS the values that an older key sealed. */
export const resealSecrets = defineJob({
  name: 'reseal-secrets',
  schedule: '41 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { resealed, unreadable } = await reseal(context.deps, signal);
    context.note({ resealed, unreadable });
    if (unreadable > 0) throw new Error(`${unreadable} secrets cannot be opened`);
  },
});
