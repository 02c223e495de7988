// Gateway events: a workspace's own events, and those of all workspaces for platform admins. The
// raw body is never returned, because it contains personal data.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import {
  decodeCursor,
  type Page,
  type PageRequest,
  requirePageSize,
} from '../platform/database/page.ts';
import { permits, workspaceOf } from '../platform/permit.ts';
import { shownBody } from './facts/shown-body.ts';

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
  /** The time of receipt. */
  readonly createdAt: Date;
  readonly processedAt: Date | null;
  readonly nextAttemptAt: Date | null;
};

export async function gatewayEventsPage(
  context: Context,
  page: PageRequest,
  state?: GatewayEventState,
): Promise<Page<GatewayEventView>> {
  const em = await context.read();
  const workspaceId = workspaceOf(context.viewer);
  if (state === undefined) return readEvents(em, 'workspace_id = ?', [workspaceId], page);
  return readEvents(em, 'workspace_id = ? AND state = ?', [workspaceId, state], page);
}

/** An event of the viewer's workspace, or of any workspace for platform admins. */
export async function gatewayEventById(
  context: Context,
  id: string,
): Promise<GatewayEventView | undefined> {
  const [row] = await readOwn<EventRow>(context, COLUMNS, [id]);
  return row && viewOf(row);
}

export type GatewayEventBody = { readonly id: string; readonly body: string | null };

/** The redacted bodies. */
export async function gatewayEventBodies(
  context: Context,
  ids: readonly string[],
): Promise<readonly GatewayEventBody[]> {
  const rows = await readOwn<{ id: string; body: Buffer }>(context, 'id, body', ids);
  return rows.map(({ id, body }) => ({ id, body: shownBody(body.toString('utf8')) }));
}

async function readOwn<Row>(
  context: Context,
  columns: string,
  ids: readonly string[],
): Promise<readonly Row[]> {
  const asked = `{${ids.join()}}`;
  const query = `SELECT ${columns} FROM gateway_events WHERE id = ANY (?::uuid[])`;
  if (permits(context.viewer, 'platformAdmin'))
    return readAcrossTenants(context, em => em.execute<Row[]>(query, [asked]));
  const em = await context.read();
  return em.execute<Row[]>(`${query} AND workspace_id = ?`, [asked, workspaceOf(context.viewer)]);
}

export function platformGatewayEventsPage(
  context: Context,
  page: PageRequest,
  state: GatewayEventState,
): Promise<Page<GatewayEventView>> {
  return readAcrossTenants(context, em => readEvents(em, 'state = ?', [state], page));
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

async function readEvents(
  em: EntityManager,
  condition: string,
  values: readonly string[],
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
      ...values,
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
