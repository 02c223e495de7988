import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import { migrateBrokenPins } from './migrate-broken-pins.ts';

/**
 * Runs after a version became Active. Moves enrolments to it whose contact data fills this version
 * but no longer the older one they are pinned to.
 */
export const migrateBrokenPinsJob = defineJob({
  name: 'migrate-broken-pins',
  data: z.object({ versionId: z.uuid() }),
  async run(context, { versionId }, signal) {
    const { people, migrated } = await migrateBrokenPins(context.deps, versionId, signal);
    context.note({ versionId, people, migrated });
  },
});
