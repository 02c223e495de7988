/** Where pg-boss keeps its queues, in the control plane's database. */
export const JOB_QUEUE_SCHEMA = 'pgboss';
