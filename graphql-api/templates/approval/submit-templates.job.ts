import { defineJob, scheduledData } from '../../platform/jobs/job.ts';
import { submitWaiting } from './submit-waiting.ts';

/** Sends what waits for its approver, asked for by each submission; each minute what was not answered. */
export const submitTemplates = defineJob({
  name: 'submit-templates',
  schedule: '* * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    context.note(await submitWaiting(context.deps, { signal }));
  },
});
