import { reject } from '../../platform/rejected.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import type { GatewayEventsReplay } from '../gateway-event.contract.ts';

export type ReplayedEvents = { readonly ids: readonly string[] };

type ParkedEvent = {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly organizationId: string | null;
  readonly type: string;
  readonly state: string;
  readonly error: string | null;
};

/** Replays events that had no effect, for example parked ones; either all are replayed or none. */
export async function gatewayEventsReplay(
  { em, audit }: ActionScope,
  { ids }: GatewayEventsReplay,
): Promise<ReplayedEvents> {
  const list = `{${ids.join()}}`;
  const events = await em.execute<ParkedEvent[]>(
    `SELECT event.id, workspaces.id AS "workspaceId", organization_id AS "organizationId",
       event.type, state, error
     FROM gateway_events event LEFT JOIN workspaces ON workspaces.id = event.workspace_id
     WHERE event.id = ANY (?::uuid[]) AND state IN ('PARKED', 'FAILED', 'IGNORED')
     ORDER BY event.id FOR UPDATE OF event`,
    [list],
  );
  if (events.length < ids.length)
    return reject('NOT_FOUND', {
      field: ['ids'],
      message:
        'At least one of the events does not exist or has already been processed. No event was replayed.',
    });
  await em.execute(
    `UPDATE gateway_events SET state = 'RECEIVED', attempts = 0, error = NULL, processed_at = NULL,
       next_attempt_at = now()
     WHERE id = ANY (?::uuid[])`,
    [list],
  );
  for (const { id, workspaceId, organizationId, type, state, error } of events)
    await audit({
      action: 'gateway_event.replay',
      subjectType: 'gateway_event',
      subjectId: id,
      before: { type, state, error },
      organizationId,
      workspaceId,
    });
  return { ids };
}
