import { raiseAlerts } from '../actions/template-approval/raise-alerts.ts';
import { defineJob, scheduledData } from './job.ts';

/** Tells of submissions that wait for too long. */
export const alertLateApprovals = defineJob({
  name: 'alert-late-approvals',
  schedule: '*/5 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    context.note({ raised: await raiseAlerts(context.deps, signal) });
  },
});
