import { defineJob, scheduledData } from '../../platform/jobs/job.ts';
import { raiseAlerts } from './raise-alerts.ts';

/** Raises alerts for submissions that have been pending for too long. */
export const alertLateApprovals = defineJob({
  name: 'alert-late-approvals',
  schedule: '*/5 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    context.note({ raised: await raiseAlerts(context.deps, signal) });
  },
});
