import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import type { AppDeps } from '../../platform/context.ts';
import { kysely, rowsOf, sql } from '../../platform/database/kysely.ts';
import { factsOf, tellWorkspace } from './decide-submission.ts';
import { TemplateSubmission } from './submission.entity.ts';
import { type ApprovalScope, submissionById } from './submission.reads.ts';

/** One alert at the deadline and two reminders. */
const STEPS_MAX = 3;
const STEP_HOURS = 24;
/** The limit per transaction. */
const BATCH_MAX = 100;

/** Raises the due alerts, once per step. Returns their number. */
export async function raiseAlerts(
  deps: Pick<AppDeps, 'database' | 'clock' | 'newId' | 'pinning'>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  while (signal?.aborted !== true) {
    const raised = await deps.database.asSystem(em => raiseBatch({ em, deps }));
    total += raised;
    if (raised < BATCH_MAX) break;
  }
  return total;
}

type DueAlert = { readonly id: string; readonly step: number; readonly dueAt: Date };

async function raiseBatch(scope: ApprovalScope): Promise<number> {
  const { em, deps } = scope;
  const now = new Date(deps.clock.nowMs());
  // Locked, so that a concurrent verdict waits, finds the alert and clears it.
  const due = await rowsOf(
    em,
    sql<DueAlert>`
      SELECT s.id, step, s.sla_due_at + (step - 1) * ${STEP_HOURS} * interval '1 hour' AS due_at
      FROM template_submissions s
      CROSS JOIN LATERAL (SELECT least(${STEPS_MAX}, 1 + floor(
        extract(epoch FROM ${now}::timestamptz - s.sla_due_at) / 3600 / ${STEP_HOURS}))::integer
        AS step) reached
      WHERE s.state = 'PENDING' AND s.sla_due_at <= ${now}
        AND NOT EXISTS (SELECT FROM template_alerts a
          WHERE a.submission_id = s.id AND a.step >= reached.step)
      ORDER BY s.sla_due_at LIMIT ${BATCH_MAX} FOR UPDATE OF s SKIP LOCKED`,
  );
  for (const alert of due) await raiseAlert(scope, alert, now);
  return due.length;
}

async function raiseAlert(
  { em, deps }: ApprovalScope,
  { id: submissionId, step, dueAt }: DueAlert,
  now: Date,
): Promise<void> {
  const submission = await submissionById(em, submissionId);
  if (submission === undefined)
    throw new Error('the submission that an alert refers to does not exist');
  const id = derivedUuid('template alert', submissionId, String(step));
  const { workspaceId, templateId, versionId, channel } = submission;
  const alert = { id, workspaceId, templateId, versionId, submissionId, channel, step, dueAt };
  await kysely(em)
    .insertInto('template_alerts')
    .values({ ...alert, createdAt: now })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  await em.nativeUpdate(TemplateSubmission, { id: submissionId }, { alertedAt: now });
  await tellWorkspace(
    { em, deps },
    {
      id,
      workspaceId,
      type: 'template.approval_overdue',
      facts: { ...factsOf(submission), step, due_at: dueAt.toISOString() },
    },
  );
}
