// What the payment gateway told us: a workspace's own events, and for platform admins everybody's. The
// body is nobody's to read: it has customers in it.

import type { EntityManager } from '@mikro-orm/postgresql';
import { workspaceOf } from '../access/permit.ts';
import type { Context } from '../context.ts';
import { readAcrossTenants } from './across-tenants.ts';
import { decodeCursor, type Page, type PageRequest, requirePageSize } from './page.ts';

export type GatewayEventState = 'RECEIVED' | 'PROCESSED' | 'IGNORED' | 'FAILED' | 'PARKED';

export type GatewayEventView = {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly type: string;
  readonly family: string;
  readonly state: GatewayEventState;
  readonly attempts: number;
  readonly error: string | null;
  readonly effects: readonly string[];
  readonly eventAt: Date | null;
  /** When it came. */
  readonly createdAt: Date;
  readonly processedAt: Date | null;
  readonly nextAttemptAt: Date | null;
};

export async function gatewayEventsPage(
  context: Context,
  page: PageRequest,
): Promise<Page<GatewayEventView>> {
  const workspaceId = workspaceOf(context.viewer);
  return readEvents(await context.read(), 'workspace_id = ?', workspaceId, page);
}

export function platformGatewayEventsPage(
  context: Context,
  page: PageRequest,
  state: GatewayEventState,
): Promise<Page<GatewayEventView>> {
  return readAcrossTenants(context, em => readEvents(em, 'state = ?', state, page));
}

export function gatewayEventsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly GatewayEventView[]> {
  return readAcrossTenants(context, async em => {
    const rows = await em.execute<EventRow[]>(
      `SELECT ${COLUMNS} FROM gateway_events WHERE id = ANY (?::uuid[])`,
      [`{${ids.join()}}`],
    );
    return rows.map(viewOf);
  });
}

type EventRow = Omit<
  GatewayEventView,
  'eventAt' | 'createdAt' | 'processedAt' | 'nextAttemptAt'
> & {
  readonly eventAt: string | null;
  readonly createdAt: string;
  readonly processedAt: string | null;
  readonly nextAttemptAt: string | null;
};

const COLUMNS = `id, workspace_id AS "workspaceId", type, family, state, attempts, error,
  coalesce(effect -> 'names', '[]') AS effects, event_at AS "eventAt", received_at AS "createdAt",
  processed_at AS "processedAt", next_attempt_at AS "nextAttemptAt"`;

/** `condition` has one parameter. */
async function readEvents(
  em: EntityManager,
  condition: string,
  value: string,
  { first, after }: PageRequest,
): Promise<Page<GatewayEventView>> {
  requirePageSize(first);
  const position = after == null ? undefined : decodeCursor(after);
  const rows = await em.execute<EventRow[]>(
    `SELECT ${COLUMNS} FROM gateway_events
     WHERE ${condition} AND (?::uuid IS NULL OR (received_at, id) <
       (coalesce((SELECT received_at FROM gateway_events WHERE id = ?::uuid), ?::timestamptz), ?::uuid))
     ORDER BY received_at DESC, id DESC LIMIT ?`,
    [
      value,
      position?.id ?? null,
      position?.id ?? null,
      new Date((position?.ms ?? 0) + 1).toISOString(),
      position?.id ?? null,
      first + 1,
    ],
  );
  return { items: rows.slice(0, first).map(viewOf), hasNextPage: rows.length > first };
}

function viewOf(row: EventRow): GatewayEventView {
  const { eventAt, createdAt, processedAt, nextAttemptAt } = row;
  return {
    ...row,
    eventAt: timeOf(eventAt),
    createdAt: new Date(createdAt),
    processedAt: timeOf(processedAt),
    nextAttemptAt: timeOf(nextAttemptAt),
  };
}

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
