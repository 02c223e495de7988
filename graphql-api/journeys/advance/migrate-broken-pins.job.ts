import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import { migrateBrokenPins } from './migrate-broken-pins.ts';

/** After a version became Active: those on the way to an older one that their data no longer fills, as
 * it does this one, get this one. */
export const migrateBrokenPinsJob = defineJob({
  name: 'migrate-broken-pins',
  data: z.object({ versionId: z.uuid() }),
  async run(context, { versionId }, signal) {
    const { people, migrated } = await migrateBrokenPins(context.deps, versionId, signal);
    context.note({ versionId, people, migrated });
  },
});
