// A process that runs jobs like the API, with the tests' own jobs and a clock that they set. The
// jobs record their executions in a table, which outlives the process.

import { z } from 'zod';
import { readConfig } from '../../../../graphql-api/app/config.ts';
import { createAppDeps } from '../../../../graphql-api/app/create-app-deps.ts';
import { defineJob, scheduledData } from '../../../../graphql-api/platform/jobs/job.ts';
import { startJobs } from '../../../../graphql-api/platform/jobs/jobs.ts';
import { requestJob } from '../../../../graphql-api/platform/jobs/request-job.ts';

export type ToJobs =
  | { readonly kind: 'clock'; readonly nowMs: number }
  | { readonly kind: 'ask'; readonly job: string; readonly data: object; readonly fails: boolean }
  | { readonly kind: 'stop' };

let nowMs = Number(process.env.NOW_MS);
const deps = await createAppDeps(readConfig(process.env), { nowMs: () => nowMs });

function seen(job: string, what: string): Promise<unknown> {
  return deps.database.asSystem(em =>
    em.execute('INSERT INTO seen (pid, job, what) VALUES (?, ?, ?)', [process.pid, job, what]),
  );
}

const nightly = defineJob({
  name: 'nightly',
  schedule: '0 3 * * *',
  data: scheduledData,
  run: async (_context, { dueAt }) => void (await seen('nightly', dueAt)),
});

const slow = defineJob({
  name: 'slow',
  data: z.object({ name: z.string() }),
  retry: { limit: 3, delaySeconds: 0 },
  async run(_context, { name }, signal) {
    await seen('slow', `${name} begins`);
    // Runs until it is released or its process dies.
    while (!(await isReleased(name))) {
      signal.throwIfAborted();
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    await seen('slow', `${name} ends`);
  },
});

const failing = defineJob({
  name: 'failing',
  data: z.object({ name: z.string() }),
  retry: { limit: 2, delaySeconds: 0 },
  async run(_context, { name }) {
    await seen('failing', name);
    throw new Error(`${name} can't be done`);
  },
});

async function isReleased(name: string): Promise<boolean> {
  const found = await deps.database.asSystem(em =>
    em.execute<unknown[]>('SELECT 1 FROM released WHERE name = ?', [name]),
  );
  return found.length > 0;
}

const byName = { slow, failing };
const jobs = startJobs(deps, [nightly, slow, failing]);

async function ask({ job, data, fails }: Extract<ToJobs, { kind: 'ask' }>): Promise<void> {
  const organizationId = process.env.ORGANIZATION_ID!;
  const viewer = { userId: 'u', organizationId, workspaceId: undefined, roles: new Set<never>() };
  const asked = deps.database.asTenant(organizationId, async em => {
    await requestJob({ em, viewer, deps }, byName[job as keyof typeof byName], data as never);
    if (fails) throw new Error('the action fails after all');
  });
  await asked.catch(error => {
    if (!fails) throw error;
  });
  process.send?.({ kind: 'asked' });
}

process.on('message', (message: ToJobs) => {
  if (message.kind === 'clock') nowMs = message.nowMs;
  else if (message.kind === 'ask') void ask(message);
  else
    void jobs.stop().then(async () => {
      await deps.database.close();
      process.exit(0);
    });
});
process.on('disconnect', () => process.exit(1));
process.send?.({ kind: 'started' });
