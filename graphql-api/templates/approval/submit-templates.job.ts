import { defineJob, scheduledData } from '../../platform/jobs/job.ts';
import { submitWaiting } from './submit-waiting.ts';

/**
 * Sends waiting submissions. Each submission requests a run; a run each minute retries the rest.
 */
export const submitTemplates = defineJob({
  name: 'submit-templates',
  schedule: '* * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    context.note(await submitWaiting(context.deps, { signal }));
  },
});
