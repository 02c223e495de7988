import type { RawBuilder } from 'kysely';
import { HOUR_MS } from '../../schema/values/durations.ts';
import { EXPIRED_EXPORTS } from '../exports/expired-exports.ts';
import { kysely, sql } from '../platform/database/kysely.ts';
import { IDEMPOTENCY_HOURS } from '../platform/idempotently.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { FORGET_WEBHOOKS, WEBHOOK_DAYS } from '../webhooks/dispatch/forget-webhooks.ts';

/** Rows per transaction, which keeps transactions short. */
const ROWS_MAX = 5_000;
/** How long records of scheduled runs are kept. The latest row of a job is always kept, because the next run depends on it. */
const JOB_RUNS_DAYS = 90;

/** Deletes expired idempotency records, exports and secrets, old job runs and old webhook deliveries. */
export const forgetOldRecords = defineJob({
  name: 'forget-old-records',
  schedule: '23 * * * *',
  data: scheduledData,
  async run(context, _data, signal) {
    const { clock, database } = context.deps;
    const nowMs = clock.nowMs();
    const remove = async (statement: Statement, before: Date) => {
      let total = 0;
      let removed = ROWS_MAX;
      while (removed === ROWS_MAX) {
        signal.throwIfAborted();
        const result = await database.asSystem(em =>
          statement(before, ROWS_MAX).execute(kysely(em)),
        );
        removed = Number(result.numAffectedRows);
        total += removed;
      }
      return total;
    };
    const now = new Date(nowMs);
    const keys = await remove(IDEMPOTENCY_RECORDS, new Date(nowMs - IDEMPOTENCY_HOURS * HOUR_MS));
    const runs = await remove(JOB_RUNS, new Date(nowMs - JOB_RUNS_DAYS * 24 * HOUR_MS));
    const secrets = await remove(GATEWAY_SECRETS, now);
    const exports = await remove(PERSON_EXPORTS, now);
    const webhooksBefore = new Date(nowMs - WEBHOOK_DAYS * 24 * HOUR_MS);
    context.note({
      eventExports: await remove(EXPIRED_EXPORTS, now),
      idempotencyRecords: keys,
      jobRuns: runs,
      gatewaySecrets: secrets,
      personExports: exports,
      webhookDeliveries: await remove(FORGET_WEBHOOKS.deliveries, webhooksBefore),
      outboundEvents: await remove(FORGET_WEBHOOKS.events, webhooksBefore),
      deliveryNames: await remove(FORGET_WEBHOOKS.names, webhooksBefore),
      webhookSecrets: await remove(FORGET_WEBHOOKS.secrets, now),
    });
  },
});

type Statement = (before: Date, limit: number) => RawBuilder<unknown>;

const IDEMPOTENCY_RECORDS: Statement = (before, limit) => sql`
  DELETE FROM idempotency_records WHERE ctid IN (
    SELECT ctid FROM idempotency_records WHERE created_at < ${before} LIMIT ${limit})`;

const JOB_RUNS: Statement = (before, limit) => sql`
  DELETE FROM job_runs WHERE (job, due_at) IN (
    SELECT job, due_at FROM job_runs AS old WHERE due_at < ${before}
      AND EXISTS (SELECT FROM job_runs WHERE job = old.job AND due_at > old.due_at) LIMIT ${limit})`;

const GATEWAY_SECRETS: Statement = (before, limit) => sql`
  DELETE FROM gateway_secrets WHERE (workspace_id, field, generation) IN (
    SELECT workspace_id, field, generation FROM gateway_secrets
    WHERE expires_at < ${before} LIMIT ${limit})`;

const PERSON_EXPORTS: Statement = (before, limit) => sql`
  DELETE FROM person_exports WHERE id IN (
    SELECT id FROM person_exports WHERE expires_at < ${before} LIMIT ${limit})`;
