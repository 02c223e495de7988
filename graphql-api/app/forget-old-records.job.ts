import { IDEMPOTENCY_HOURS } from '../platform/idempotently.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { FORGET_WEBHOOKS, WEBHOOK_DAYS } from '../webhooks/dispatch/forget-webhooks.ts';

/** Rows per transaction, which keeps transactions short. */
const ROWS_MAX = 5_000;
const HOUR_MS = 60 * 60 * 1000;
/** For scheduled runs. The latest row of a job is always kept, because the next run depends on it. */
const JOB_RUNS_DAYS = 90;

/** Deletes expired idempotency records, old job runs, old webhook deliveries and expired secrets. */
export const forgetOldRecords = defineJob({
  name: 'forget-old-records',
  schedule: '23 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { clock, database } = context.deps;
    const nowMs = clock.nowMs();
    const remove = async (statement: string, before: Date) => {
      let total = 0;
      let removed = ROWS_MAX;
      while (removed === ROWS_MAX) {
        signal.throwIfAborted();
        const rows = await database.asSystem(em =>
          em.execute<unknown[]>(`${statement} RETURNING 1`, [before, ROWS_MAX]),
        );
        removed = rows.length;
        total += removed;
      }
      return total;
    };
    const keys = await remove(
      `DELETE FROM idempotency_records WHERE ctid IN
         (SELECT ctid FROM idempotency_records WHERE created_at < ? LIMIT ?)`,
      new Date(nowMs - IDEMPOTENCY_HOURS * HOUR_MS),
    );
    const runs = await remove(
      `DELETE FROM job_runs WHERE (job, due_at) IN
         (SELECT job, due_at FROM job_runs AS old WHERE due_at < ?
            AND EXISTS (SELECT FROM job_runs WHERE job = old.job AND due_at > old.due_at) LIMIT ?)`,
      new Date(nowMs - JOB_RUNS_DAYS * 24 * HOUR_MS),
    );
    const secrets = await remove(
      `DELETE FROM gateway_secrets WHERE (workspace_id, field, generation) IN
         (SELECT workspace_id, field, generation FROM gateway_secrets WHERE expires_at < ? LIMIT ?)`,
      new Date(nowMs),
    );
    const webhooksBefore = new Date(nowMs - WEBHOOK_DAYS * 24 * HOUR_MS);
    context.note({
      idempotencyRecords: keys,
      jobRuns: runs,
      gatewaySecrets: secrets,
      webhookDeliveries: await remove(FORGET_WEBHOOKS.deliveries, webhooksBefore),
      outboundEvents: await remove(FORGET_WEBHOOKS.events, webhooksBefore),
      deliveryNames: await remove(FORGET_WEBHOOKS.names, webhooksBefore),
      webhookSecrets: await remove(FORGET_WEBHOOKS.secrets, new Date(nowMs)),
    });
  },
});
