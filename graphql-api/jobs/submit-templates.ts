import { submitWaiting } from '../actions/template-approval/submit-waiting.ts';
import { defineJob, scheduledData } from './job.ts';

/** Sends what waits for its approver, asked for by each submission; each minute what was not answered. */
export const submitTemplates = defineJob({
  name: 'submit-templates',
  schedule: '* * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    context.note(await submitWaiting(context.deps, { signal }));
  },
});
