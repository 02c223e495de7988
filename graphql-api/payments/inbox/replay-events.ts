import { kysely, sql } from '../../platform/database/kysely.ts';
import { reject } from '../../platform/rejected.ts';
import type { ActionScope } from '../../platform/run-action.ts';

type ReplayedEvents = { readonly ids: readonly string[] };

/** Replays events that had no effect, for example parked ones; either all are replayed or none. */
export async function gatewayEventsReplay(
  { em, audit }: ActionScope,
  { ids }: ReplayedEvents,
): Promise<ReplayedEvents> {
  const events = await kysely(em)
    .selectFrom('gateway_events as event')
    .leftJoin('workspaces', 'workspaces.id', 'event.workspaceId')
    .select(['event.id', 'workspaces.id as workspaceId', 'organizationId'])
    .select(['event.type', 'event.state', 'event.error'])
    .where('event.id', 'in', ids)
    .where('event.state', 'in', ['PARKED', 'FAILED', 'IGNORED'])
    .orderBy('event.id')
    .forUpdate('event')
    .execute();
  if (events.length < ids.length)
    return reject('NOT_FOUND', {
      field: ['ids'],
      message:
        'At least one of the events does not exist or has already been processed. No event was replayed.',
    });
  await kysely(em)
    .updateTable('gateway_events')
    .set({
      state: 'RECEIVED',
      attempts: 0,
      error: null,
      processedAt: null,
      nextAttemptAt: sql`now()`,
    })
    .where('id', 'in', ids)
    .execute();
  for (const { id, workspaceId, organizationId, type, state, error } of events)
    await audit({
      action: 'gateway_event.replay',
      subjectId: id,
      before: { type, state, error },
      organizationId,
      workspaceId,
    });
  return { ids };
}
