import { z } from 'zod';
import { recordChange } from '../../platform/audit.ts';
import type { Context } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { createIngestClient } from '../../platform/warehouse/ingest-client.ts';
import { replayContract, replayOf } from './replay.contract.ts';
import { RejectedEventsReplay } from './replay.entity.ts';
import { type ReplayReport, replayRejected } from './replay-rejected.ts';

type ReplayData = z.output<typeof data>;

const data = z.object({
  replayId: z.guid(),
  organizationId: z.guid(),
  workspaceId: z.guid(),
  userId: z.string(),
  request: replayContract,
});

/** How often progress is written, for viewers who follow the replay. */
const PROGRESS_INTERVAL_MS = 1_000;

/** Runs a replay requested with `requestReplay`. Safe to repeat. */
export const replayRejectedEvents = defineJob({
  name: 'replay-rejected-events',
  data,
  async run(context, asked, signal) {
    const { clock, config, warehouses } = context.deps;
    const { organizationId, workspaceId, request } = asked;
    if (config.ingest === undefined) throw new Error('INGEST_URL and INTERNAL_TOKEN are not set');
    const ingest = createIngestClient(config.ingest);
    const workspace = { organizationId, workspaceId };
    const replay = replayOf(workspace, request, { nowMs: clock.nowMs(), isDryRun: false });
    const onProgress = await createProgress(context, asked);
    const report = await replayRejected({ warehouses, ingest, signal, onProgress }, replay);
    context.note({ workspaceId, found: report.found, accepted: report.accepted });
    await finish(context, asked, report);
  },
});

/** Records the start of the replay, and then its progress at intervals. */
async function createProgress({ deps }: Context, { organizationId, ...asked }: ReplayData) {
  const write = (counts: Counts, startedAt?: Date) =>
    deps.database.asTenant(organizationId, em =>
      em.nativeUpdate(RejectedEventsReplay, rowOf(asked), {
        ...counts,
        ...(startedAt && { startedAt }),
      }),
    );
  await write(NOTHING_YET, new Date(deps.clock.nowMs()));
  let writtenAtMs = performance.now();
  return async (report: ReplayReport) => {
    if (performance.now() - writtenAtMs < PROGRESS_INTERVAL_MS) return;
    writtenAtMs = performance.now();
    await write(countsOf(report));
  };
}

async function finish(
  { deps, requestId }: Context,
  asked: ReplayData,
  report: ReplayReport,
): Promise<void> {
  const { organizationId, workspaceId, userId, replayId, request } = asked;
  const finishedAt = new Date(deps.clock.nowMs());
  const viewer = { userId, organizationId, workspaceId, roles: new Set<never>() };
  await deps.database.asTenant(organizationId, async em => {
    const counts = countsOf(report);
    await em.nativeUpdate(RejectedEventsReplay, rowOf(asked), { ...counts, finishedAt });
    await recordChange(
      { em, viewer, deps, requestId },
      {
        action: 'rejected_events.replayed',
        subjectType: 'rejected_events_replay',
        subjectId: replayId,
        after: { codes: request.codes, ...counts },
      },
    );
  });
}

function rowOf({ replayId, workspaceId }: Pick<ReplayData, 'replayId' | 'workspaceId'>) {
  return { id: replayId, workspaceId };
}

/** Excludes the samples and the example, which contain data of people. */
type Counts = Omit<ReplayReport, 'samples' | 'example'>;

const NOTHING_YET: Counts = { found: 0, accepted: 0, uncorrectable: 0, refused: {} };

function countsOf({ found, accepted, uncorrectable, refused }: ReplayReport): Counts {
  return { found, accepted, uncorrectable, refused };
}
