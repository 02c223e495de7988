import { defineJob, scheduledData } from '../../platform/jobs/job.ts';
import { pollApprovals } from './poll-approvals.ts';

/** Polls the approvers, in case a webhook was lost. */
export const pollTemplateApprovals = defineJob({
  name: 'poll-template-approvals',
  schedule: '*/10 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { changed, faults } = await pollApprovals(context.deps, { source: 'POLL', signal });
    context.note({ changed, faults: faults.length });
  },
});
