// Gateway events: a workspace's own events, and those of all workspaces for platform admins. The
// raw body is never returned, because it contains personal data.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { kysely, type RowOf, sql } from '../platform/database/kysely.ts';
import {
  decodeCursor,
  type Page,
  type PageRequest,
  requirePageSize,
} from '../platform/database/page.ts';
import { permits, workspaceOf } from '../platform/permit.ts';
import { shownBody } from './facts/shown-body.ts';

export type GatewayEventState = RowOf<'gateway_events'>['state'];

export type GatewayEventView = Awaited<ReturnType<typeof gatewayEventsByIds>>[number];

export async function gatewayEventsPage(
  context: Context,
  page: PageRequest,
  state?: GatewayEventState,
): Promise<Page<GatewayEventView>> {
  const workspaceId = workspaceOf(context.viewer);
  return readEvents(await context.read(), { workspaceId, ...(state && { state }) }, page);
}

export function platformGatewayEventsPage(
  context: Context,
  page: PageRequest,
  state: GatewayEventState,
): Promise<Page<GatewayEventView>> {
  return readAcrossTenants(context, em => readEvents(em, { state }, page));
}

/** An event of the viewer's workspace, or of any workspace for platform admins. */
export function gatewayEventById(
  context: Context,
  id: string,
): Promise<GatewayEventView | undefined> {
  return readOwn(context, (em, own) =>
    events(em).where('id', '=', id).where(own).executeTakeFirst(),
  );
}

/** The redacted bodies. */
export function gatewayEventBodies(context: Context, ids: readonly string[]) {
  return readOwn(context, async (em, own) => {
    const bodies = kysely(em).selectFrom('gateway_events').select(['id', 'body']);
    const rows = await bodies.where('id', 'in', ids).where(own).execute();
    return rows.map(({ id, body }) => ({ id, body: shownBody(body.toString('utf8')) }));
  });
}

export function gatewayEventsByIds(context: Context, ids: readonly string[]) {
  return readAcrossTenants(context, em => events(em).where('id', 'in', ids).execute());
}

async function readOwn<T>(
  context: Context,
  read: (em: EntityManager, own: ReturnType<typeof sql<boolean>>) => Promise<T>,
): Promise<T> {
  if (permits(context.viewer, 'platformAdmin'))
    return readAcrossTenants(context, em => read(em, sql<boolean>`true`));
  const workspaceId = workspaceOf(context.viewer);
  return read(await context.read(), sql<boolean>`workspace_id = ${workspaceId}`);
}

function events(em: EntityManager) {
  return kysely(em)
    .selectFrom('gateway_events')
    .select(['id', 'workspaceId', 'type', 'family', 'state', 'attempts', 'error'])
    .select(['eventAt', 'receivedAt as createdAt', 'processedAt', 'nextAttemptAt'])
    .select(sql<readonly string[]>`coalesce(effect -> 'names', '[]')`.as('effects'));
}

type Filter = { readonly workspaceId?: string; readonly state?: GatewayEventState };

async function readEvents(
  em: EntityManager,
  filter: Filter,
  { first, after }: PageRequest,
): Promise<Page<GatewayEventView>> {
  requirePageSize(first);
  let query = events(em).where(eb => eb.and(filter));
  if (after != null) {
    const { id, ms } = decodeCursor(after);
    // The row itself has its time to the microsecond.
    query = query.where(
      sql<boolean>`(received_at, id) < (coalesce(
        (SELECT received_at FROM gateway_events WHERE id = ${id}), ${new Date(ms + 1)}), ${id})`,
    );
  }
  const rows = await query
    .orderBy('receivedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(first + 1)
    .execute();
  return { items: rows.slice(0, first), hasNextPage: rows.length > first };
}
