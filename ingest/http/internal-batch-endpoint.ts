// POST /internal/batch: events sent by the control plane for a workspace. The body is that of
// /v1/batch; its writeKey is ignored. The query contains the values that otherwise come from the key:
// workspace_id, and optionally property_id and sdk_key_id. It also contains received_at, for events that
// are replayed. Rejected events are returned but not stored, because the sender has them. With
// dry_run=1 nothing is stored, and the response is the same.

import { z } from 'zod';
import { parseInstant } from '../../schema/values/instant.ts';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import {
  type AcceptedBatch,
  acceptBatch,
  checkEnvelope,
  tryBatch,
} from '../accept/accept-batch.ts';
import { type ParsedBatch, parseBatch } from '../accept/parse-batch.ts';
import type { RecentIds } from '../accept/recent-ids.ts';
import type { Directory, WorkspaceEntry } from '../authenticate/directory.ts';
import { type InternalEndpointDeps, internalEndpoint, logOf } from './internal-endpoint.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Endpoint } from './server.ts';

export type InternalBatchDeps = InternalEndpointDeps & { readonly recent: RecentIds };

export function internalBatchEndpoint(deps: InternalBatchDeps): Endpoint {
  return internalEndpoint(deps, async (incoming, body, directory) => {
    const question = parseQuestion(incoming.query, directory);
    if ('code' in question) return problemReply(question);
    const batch = parseBatch(body);
    if ('code' in batch) return problemReply(batch);
    const fault = checkEnvelope(batch);
    if (fault !== undefined) return problemReply(fault);
    const outcome = question.isDryRun ? tryBatch(batch) : await store(deps, batch, question);
    if ('code' in outcome) return problemReply(outcome);
    const { accepted, rejected } = outcome;
    return jsonReply(200, { status: 'SUCCESS', accepted, rejected });
  });
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const id = z.guid().transform(text => text.toLowerCase());

const contract = z.strictObject({
  workspace_id: id,
  property_id: id.default(NO_ID),
  sdk_key_id: id.default(NO_ID),
  received_at: z.string().optional(),
  dry_run: z.enum(['0', '1']).default('0'),
});

type Question = {
  readonly workspace: WorkspaceEntry;
  readonly propertyId: string;
  readonly sdkKeyId: string;
  /** Undefined: the current time. */
  readonly receivedAtMs: number | undefined;
  readonly isDryRun: boolean;
};

function parseQuestion(query: string, directory: Directory): Question | Problem {
  const parsed = contract.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return problem('INVALID_FIELD', `${path.join('.') || 'The query'}: ${message}`);
  }
  const { workspace_id, property_id, sdk_key_id, received_at, dry_run } = parsed.data;
  const workspace = directory.workspaceOf(workspace_id);
  if (workspace === undefined) return problem('WORKSPACE_NOT_FOUND');
  const receivedAtMs = received_at === undefined ? undefined : parseInstant(received_at)?.ms;
  if (received_at !== undefined && receivedAtMs === undefined)
    return problem('INVALID_FIELD', 'received_at must be an ISO 8601 time.');
  return {
    workspace,
    propertyId: property_id,
    sdkKeyId: sdk_key_id,
    receivedAtMs,
    isDryRun: dry_run === '1',
  };
}

async function store(
  deps: InternalBatchDeps,
  batch: ParsedBatch,
  { workspace, propertyId, sdkKeyId, receivedAtMs }: Question,
): Promise<AcceptedBatch | Problem> {
  const log = logOf(deps, workspace);
  if ('code' in log) return log;
  const outcome = await acceptBatch(
    log,
    deps.recent,
    batch,
    {
      account: {
        workspaceIdBytes: workspace.workspaceIdBytes,
        keyIdBytes: uuidToRowBinary(sdkKeyId),
      },
      propertyIdBytes: uuidToRowBinary(propertyId),
      receivedAtMs: receivedAtMs ?? deps.clock.nowMs(),
    },
    'stay with the sender',
  );
  deps.metrics.eventsAccepted.inc(outcome.accepted);
  if (outcome.duplicates > 0) deps.metrics.eventsDuplicate.inc(outcome.duplicates);
  return outcome;
}
