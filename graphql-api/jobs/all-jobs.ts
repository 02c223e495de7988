import { alertLateApprovals } from './alert-late-approvals.ts';
import { endArchivedJourney } from './end-archived-journey.ts';
import { expireDeals } from './expire-deals.ts';
import { expireOldReservations } from './expire-reservations.ts';
import { foldEnrolmentCounts } from './fold-enrolment-counts.ts';
import { forgetOldRecords } from './forget-old-records.ts';
import { issueTaxCertificates } from './issue-tax-certificates.ts';
import type { Job } from './job.ts';
import { migrateBrokenPinsJob } from './migrate-broken-pins.ts';
import { pollTemplateApprovals } from './poll-approvals.ts';
import { reconcileGateway } from './reconcile-gateway.ts';
import { releaseCredits } from './release-credits.ts';
import { replayRejectedEvents } from './replay-rejected-events.ts';
import { replayWebhooks } from './replay-webhooks.ts';
import { resealSecrets } from './reseal-secrets.ts';
import { submitTemplates } from './submit-templates.ts';

/** Every job of the control plane; each process runs them all, each of them in one at a time. */
export const ALL_JOBS: readonly Job[] = [
  forgetOldRecords,
  replayRejectedEvents,
  issueTaxCertificates,
  expireDeals,
  resealSecrets,
  releaseCredits,
  reconcileGateway,
  expireOldReservations,
  endArchivedJourney,
  migrateBrokenPinsJob,
  foldEnrolmentCounts,
  submitTemplates,
  pollTemplateApprovals,
  alertLateApprovals,
  replayWebhooks,
];
