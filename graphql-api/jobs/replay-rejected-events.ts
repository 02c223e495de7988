import { z } from 'zod';
import { recordChange } from '../actions/audit.ts';
import { replayContract, replayOf } from '../actions/events/replay-contract.ts';
import { replayRejected } from '../actions/events/replay-rejected.ts';
import { createIngestClient } from '../outbox/ingest-client.ts';
import { defineJob } from './job.ts';

/** What a viewer asked for with requestReplay; a repeat changes nothing. */
export const replayRejectedEvents = defineJob({
  name: 'replay-rejected-events',
  data: z.object({
    organizationId: z.guid(),
    workspaceId: z.guid(),
    userId: z.string(),
    request: replayContract,
  }),
  async run(context, { organizationId, workspaceId, userId, request }, signal) {
    const { deps, requestId } = context;
    const { clock, config, database, warehouses } = deps;
    if (config.ingest === undefined) throw new Error('INGEST_URL and INTERNAL_TOKEN are not set');
    const ingest = createIngestClient(config.ingest);
    const workspace = { organizationId, workspaceId };
    const replay = replayOf(workspace, request, { nowMs: clock.nowMs(), isDryRun: false });
    const outcome = await replayRejected({ warehouses, ingest, signal }, replay);
    const { samples: _inAnswersOnly, ...report } = outcome;
    context.note({ workspaceId, found: report.found, accepted: report.accepted });
    const viewer = { userId, ...workspace, roles: new Set<never>() };
    await database.asTenant(organizationId, em =>
      recordChange(
        { em, viewer, deps, requestId },
        {
          action: 'rejected_events.replayed',
          subjectType: 'workspace',
          subjectId: workspaceId,
          after: { code: request.code, ...report },
        },
      ),
    );
  },
});
