// Applies one event of the inbox in one transaction: its changes, its effects and its processed
// state are committed together. If the process crashes, another one repeats the event.

import { parseGatewayEvent } from '../../../schema/gateway/parse-gateway-event.ts';
import type { PostScope } from '../../partner/ledger/post.ts';
import { customerIdOf, echoedWorkspaceId, factsOfEvent } from '../facts/facts-of-event.ts';
import { applyFact } from './apply-fact.ts';
import type { ApplyScope } from './apply-scope.ts';
import { NEWLY_READABLE } from './newly-readable.ts';

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
  const [event] = await em.execute<DueEvent[]>(
    `SELECT account_id AS "accountId", body,
       CASE state WHEN 'IGNORED' THEN attempts ELSE 0 END AS waits,
       received_at < ?::timestamptz - interval '${AWAITED_DAYS} days' AS "isOld"
     FROM gateway_events
     WHERE id = ? AND (${NEWLY_READABLE}
       OR state IN ('RECEIVED', 'FAILED', 'IGNORED') AND next_attempt_at <= now())
     FOR UPDATE SKIP LOCKED`,
    [new Date(deps.clock.nowMs()).toISOString(), eventId],
  );
  return event;
}

type Settled = { readonly effects: readonly string[]; readonly workspaceId: string | null };

async function settle(
  { em, deps, eventId }: ApplyScope,
  outcome: 'PROCESSED' | 'IGNORED',
  { effects, workspaceId }: Settled,
): Promise<void> {
  await em.execute(
    `WITH known AS (DELETE FROM gateway_awaited WHERE event_id = ?)
     UPDATE gateway_events SET state = ?, error = ?, effect = ?::jsonb,
       workspace_id = coalesce(?::uuid, workspace_id),
       processed_at = ?, next_attempt_at = NULL
     WHERE id = ?`,
    [
      eventId!,
      outcome,
      outcome === 'IGNORED' ? 'NOT_OURS: the service does not store objects of this kind' : null,
      JSON.stringify({ names: effects }),
      workspaceId,
      new Date(deps.clock.nowMs()).toISOString(),
      eventId!,
    ],
  );
}

/** Retries the event as soon as its object becomes known, otherwise with increasing intervals. */
async function putOff(
  { em, accountId, eventId }: ApplyScope,
  { waits, isOld }: DueEvent,
  awaited: readonly string[],
): Promise<'WAITS'> {
  const seconds = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(waits, 30), WAIT_SECONDS_MAX);
  await em.execute(
    `WITH noted AS (
       INSERT INTO gateway_awaited (event_id, account_id, object)
       SELECT ?::uuid, ?::uuid, jsonb_array_elements_text(?::jsonb) ON CONFLICT DO NOTHING)
     UPDATE gateway_events SET state = 'IGNORED', attempts = ?, error = ?,
       next_attempt_at = CASE WHEN ? THEN NULL ELSE now() + make_interval(secs => ?) END
     WHERE id = ?`,
    [
      eventId!,
      accountId,
      JSON.stringify(awaited),
      waits + 1,
      `UNKNOWN_OBJECT: ${awaited.map(name => name.slice(0, name.indexOf(':'))).join(', ')}`,
      isOld,
      seconds,
      eventId!,
    ],
  );
  return 'WAITS';
}
