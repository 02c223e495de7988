// Applies one event of the inbox in one transaction: its changes, its effects and its processed
// state are committed together. If the process crashes, another one repeats the event.

import { parseGatewayEvent } from '../../../schema/gateway/parse-gateway-event.ts';
import type { PostScope } from '../../partner/ledger/post.ts';
import { kysely, rowsOf, sql } from '../../platform/database/kysely.ts';
import { customerIdOf, echoedWorkspaceId, factsOfEvent, READER } from '../facts/facts-of-event.ts';
import { applyFact } from './apply-fact.ts';
import type { ApplyScope } from './apply-scope.ts';

export type EventOutcome = 'PROCESSED' | 'IGNORED' | 'WAITS' | 'GONE';

type DueEvent = {
  readonly accountId: string;
  readonly body: Buffer;
  /** How often the event has waited so far, not counting failures. */
  readonly waits: number;
  readonly isOld: boolean;
};

/** How long an event waits for its object. The gateway keeps its own records as long. */
const AWAITED_DAYS = 30;
const FIRST_WAIT_SECONDS = 1;
/** Long enough to be cheap; an object that is created late is still matched on the same day. */
const WAIT_SECONDS_MAX = 6 * 60 * 60;

/**
 * Events that an earlier release could not read. This release retries each of them once. They stay
 * PARKED until then, so that a process of the earlier release that is still running ignores them.
 */
export const NEWLY_READABLE = `state = 'PARKED' AND error LIKE 'UNREADABLE:%' AND reader < ${READER}`;

/** GONE: another process is applying the event or has applied it. */
export async function applyEvent(scope: PostScope, eventId: string): Promise<EventOutcome> {
  const event = await lockEvent(scope, eventId);
  if (event === undefined) return 'GONE';
  const parsed = parseGatewayEvent(event.body);
  const applying: ApplyScope = {
    ...scope,
    accountId: event.accountId,
    eventId,
    echoedWorkspaceId: echoedWorkspaceId(parsed),
    customerId: customerIdOf(parsed),
  };
  const facts = factsOfEvent(parsed);
  const effects: string[] = [];
  const awaited: string[] = [];
  let workspaceId: string | null = null;
  for (const fact of facts) {
    const applied = await applyFact(applying, fact);
    if (applied.kind === 'unknown') {
      awaited.push(...applied.awaited);
      continue;
    }
    effects.push(...applied.effects);
    workspaceId ??= applied.workspaceId;
  }
  if (awaited.length > 0) return await putOff(applying, event, awaited);
  const outcome = facts.length === 0 ? 'IGNORED' : 'PROCESSED';
  await settle(applying, outcome, { effects, workspaceId });
  return outcome;
}

async function lockEvent({ em, deps }: PostScope, eventId: string): Promise<DueEvent | undefined> {
  const [event] = await rowsOf(
    em,
    sql<DueEvent>`
      SELECT account_id, body, CASE state WHEN 'IGNORED' THEN attempts ELSE 0 END AS waits,
        received_at < ${new Date(deps.clock.nowMs())}::timestamptz - make_interval(days => ${AWAITED_DAYS}) AS is_old
      FROM gateway_events
      WHERE id = ${eventId} AND (${sql.raw(NEWLY_READABLE)}
        OR state IN ('RECEIVED', 'FAILED', 'IGNORED') AND next_attempt_at <= now())
      FOR UPDATE SKIP LOCKED`,
  );
  return event;
}

type Settled = { readonly effects: readonly string[]; readonly workspaceId: string | null };

async function settle(
  { em, deps, eventId }: ApplyScope,
  outcome: 'PROCESSED' | 'IGNORED',
  { effects, workspaceId }: Settled,
): Promise<void> {
  const isIgnored = outcome === 'IGNORED';
  const error = isIgnored ? 'NOT_OURS: the service does not store objects of this kind' : null;
  await kysely(em)
    .with('known', query => query.deleteFrom('gateway_awaited').where('eventId', '=', eventId!))
    .updateTable('gateway_events')
    .set({
      state: outcome,
      error,
      effect: JSON.stringify({ names: effects }),
      workspaceId: sql`coalesce(${workspaceId}, workspace_id)`,
      processedAt: new Date(deps.clock.nowMs()),
      nextAttemptAt: null,
    })
    .where('id', '=', eventId!)
    .execute();
}

/** Retries the event as soon as its object becomes known, otherwise with increasing intervals. */
async function putOff(
  { em, accountId, eventId }: ApplyScope,
  { waits, isOld }: DueEvent,
  awaited: readonly string[],
): Promise<'WAITS'> {
  const seconds = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(waits, 30), WAIT_SECONDS_MAX);
  const kinds = awaited.map(name => name.slice(0, name.indexOf(':')));
  const rows = awaited.map(object => ({ eventId: eventId!, accountId, object }));
  await kysely(em)
    .with('noted', query =>
      query
        .insertInto('gateway_awaited')
        .values(rows)
        .onConflict(conflict => conflict.doNothing()),
    )
    .updateTable('gateway_events')
    .set({
      state: 'IGNORED',
      attempts: waits + 1,
      error: `UNKNOWN_OBJECT: ${kinds.join(', ')}`,
      nextAttemptAt: isOld ? null : sql`now() + make_interval(secs => ${seconds})`,
    })
    .where('id', '=', eventId!)
    .execute();
  return 'WAITS';
}
