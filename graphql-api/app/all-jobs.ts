import { replayRejectedEvents } from '../events/replay/replay.job.ts';
import { countEventExport } from '../exports/count-export.job.ts';
import { migrateBrokenPinsJob } from '../journeys/advance/migrate-broken-pins.job.ts';
import { endArchivedJourney } from '../journeys/end-archived-journey.job.ts';
import { foldEnrolmentCounts } from '../journeys/fold-enrolment-counts.job.ts';
import { moveWorkspaces } from '../moves/move-workspaces.job.ts';
import { expireDeals } from '../partner/expire-deals.job.ts';
import { expireOldReservations } from '../partner/expire-reservations.job.ts';
import { issueTaxCertificates } from '../partner/issue-certificates.job.ts';
import { releaseCredits } from '../partner/release-credits.job.ts';
import { reconcileGateway } from '../payments/reconcile.job.ts';
import type { Job } from '../platform/jobs/job.ts';
import { resealSecrets } from '../platform/reseal.ts';
import { enforceRetention } from '../privacy/enforce-retention.job.ts';
import { eraseClosedOrganizations } from '../privacy/erase-closed-organizations.job.ts';
import { continueErasures, erasePerson } from '../privacy/person-erasure.job.ts';
import { evaluateSegment } from '../segments/evaluate-segment.job.ts';
import { evaluateSegments } from '../segments/evaluate-segments.job.ts';
import { alertLateApprovals } from '../templates/approval/alert-late-approvals.job.ts';
import { pollTemplateApprovals } from '../templates/approval/poll-approvals.job.ts';
import { submitTemplates } from '../templates/approval/submit-templates.job.ts';
import { applyAnalystLogins } from '../tenancy/apply-analyst-logins.job.ts';
import { replayWaitingWebhooks, replayWebhooks } from '../webhooks/replay.job.ts';
import { forgetOldRecords } from './forget-old-records.job.ts';

/**
 * All jobs of the control plane. Every process can run each of them, but each job runs in only one process at a
 * time.
 */
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
  replayWaitingWebhooks,
  replayWebhooks,
  evaluateSegment,
  evaluateSegments,
  countEventExport,
  applyAnalystLogins,
  moveWorkspaces,
  erasePerson,
  continueErasures,
  enforceRetention,
  eraseClosedOrganizations,
];
