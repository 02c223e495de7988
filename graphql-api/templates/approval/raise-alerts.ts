import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import type { AppDeps } from '../../platform/context.ts';
import { factsOf, tellWorkspace } from './decide-submission.ts';
import { type ApprovalScope, submissionById } from './known-submission.ts';

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
    const raised = await deps.database.asSystem(em => raiseSome({ em, deps }));
    total += raised;
    if (raised < BATCH_MAX) break;
  }
  return total;
}

type Due = { readonly id: string; readonly step: number; readonly due_at: string };

async function raiseSome(scope: ApprovalScope): Promise<number> {
  const { em, deps } = scope;
  const now = new Date(deps.clock.nowMs()).toISOString();
  // Locked, so that a concurrent verdict waits, finds the alert and clears it.
  const due = await em.execute<Due[]>(
    `SELECT s.id, step, s.sla_due_at + (step - 1) * interval '${STEP_HOURS} hours' AS due_at
     FROM template_submissions s
     CROSS JOIN LATERAL (SELECT least(${STEPS_MAX},
       1 + floor(extract(epoch FROM ?::timestamptz - s.sla_due_at) / 3600 / ${STEP_HOURS}))::integer
       AS step) reached
     WHERE s.state = 'PENDING' AND s.sla_due_at <= ?
       AND NOT EXISTS (SELECT FROM template_alerts a WHERE a.submission_id = s.id AND a.step >= reached.step)
     ORDER BY s.sla_due_at LIMIT ${BATCH_MAX} FOR UPDATE OF s SKIP LOCKED`,
    [now, now],
  );
  for (const alert of due) await raise(scope, alert, now);
  return due.length;
}

async function raise(
  { em, deps }: ApprovalScope,
  { id, step, due_at: dueAt }: Due,
  now: string,
): Promise<void> {
  const submission = await submissionById(em, id);
  if (submission === undefined) throw new Error('the submission of an alert does not exist');
  const alertId = derivedUuid('template alert', id, String(step));
  const { workspaceId, templateId, versionId, channel } = submission;
  await em.execute(
    `INSERT INTO template_alerts
       (id, workspace_id, template_id, version_id, submission_id, channel, step, due_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [
      alertId,
      workspaceId,
      templateId,
      versionId,
      id,
      channel,
      step,
      new Date(dueAt).toISOString(),
      now,
    ],
  );
  await em.execute('UPDATE template_submissions SET alerted_at = ? WHERE id = ?', [now, id]);
  await tellWorkspace(
    { em, deps },
    {
      id: alertId,
      workspaceId,
      type: 'template.approval_overdue',
      facts: { ...factsOf(submission), step, due_at: new Date(dueAt).toISOString() },
    },
  );
}
