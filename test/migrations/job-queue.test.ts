import { getRollbackPlans, PgBoss } from 'pg-boss';
import { expect, inject, test } from 'vitest';
import { migrate } from '../../migrations/migrate.ts';
import { JOB_QUEUE_SCHEMA } from '../../schema/environment/job-queue.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { sql } from '../harness/tenant.ts';

async function version(owner: string): Promise<number> {
  const [row] = await sql(`SELECT version FROM ${JOB_QUEUE_SCHEMA}.version`, [], owner);
  return Number(row?.version);
}

test('an earlier version of the queue is migrated, with its waiting jobs', async () => {
  const { owner, system } = await ownDatabase();
  const newest = await version(owner);
  const boss = new PgBoss({ connectionString: system, migrate: false, supervise: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue('waiting');
  const id = await boss.send('waiting', { still: 'there' });
  await boss.stop({ graceful: false });

  await sql(getRollbackPlans(JOB_QUEUE_SCHEMA, newest), [], owner);
  expect(await version(owner)).toBe(newest - 1);
  const lines: string[] = [];
  const run = () =>
    migrate({ databaseUrl: owner, clickhouseUrls: {}, log: line => lines.push(line) });
  await run();
  expect(await version(owner)).toBe(newest);
  expect(lines).toContain(`Postgres: the job queue is at version ${newest}`);
  const [job] = await sql(`SELECT data FROM ${JOB_QUEUE_SCHEMA}.job WHERE id = $1`, [id], owner);
  expect(job).toEqual({ data: { still: 'there' } });

  lines.length = 0;
  await run();
  expect(lines.join('\n')).not.toContain('job queue');
});

test('the programs can use the queue, but not alter its tables', async () => {
  const { system } = inject('databaseUrls');
  await expect(sql(`CREATE TABLE ${JOB_QUEUE_SCHEMA}.mine (id int)`, [], system)).rejects.toThrow(
    'permission denied',
  );
  await expect(
    sql(`ALTER TABLE ${JOB_QUEUE_SCHEMA}.job ADD COLUMN mine int`, [], system),
  ).rejects.toThrow('must be owner');
  await expect(
    sql(`SELECT * FROM ${JOB_QUEUE_SCHEMA}.job`, [], inject('databaseUrls').app),
  ).rejects.toThrow('permission denied');
});
