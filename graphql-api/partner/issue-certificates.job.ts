import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { issueCertificates } from './certificate.issue.ts';

/** Runs after each quarter of the Indian financial year, in the morning in India. */
export const issueTaxCertificates = defineJob({
  name: 'issue-tax-certificates',
  schedule: '30 1 1 1,4,7,10 *',
  data: scheduledData,
  async run(context) {
    context.note({ organizations: await issueCertificates(context.deps, context.requestId) });
  },
});
