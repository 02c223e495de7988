/** The Postgres schema of pg-boss. */
export const JOB_QUEUE_SCHEMA = 'pgboss';
