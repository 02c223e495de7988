// The filter of the list and of the totals, as a condition of each query builder.

import type { SqlBool } from 'kysely';
import type { Context } from '../platform/context.ts';
import { type RawBuilder, rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import { accountsOf } from './object.reads.ts';

/** Omitted fields do not filter. */
export type GatewayPaymentFilter = {
  readonly status?: string | null | undefined;
  /** In any letter case, since the gateway's differs between versions of its API. */
  readonly methods?: readonly string[] | null | undefined;
  /** The ID of the payment, or of its order, link or subscription. */
  readonly objectId?: string | null | undefined;
  /** One of these IDs, the purpose of the link, or the note of the order. */
  readonly search?: string | null | undefined;
  /** The earliest creation time, inclusive. */
  readonly since?: Date | null | undefined;
  /** The latest creation time, exclusive. */
  readonly until?: Date | null | undefined;
};

/** For the ORM, without the workspace. */
export async function paymentCondition(
  context: Context,
  filter: GatewayPaymentFilter,
): Promise<object> {
  const { status, methods, since, until } = filter;
  const createdAt = { ...(since != null && { $gte: since }), ...(until != null && { $lt: until }) };
  const accountId = accountsOf(context);
  const named = (await namedBy(context, filter)).map(ids => ({
    $or: Object.entries(ids).map(([name, values]) => ({ accountId, [name]: [...values] })),
  }));
  return {
    ...(status != null && { status }),
    ...(methods != null && { method: inEitherCase(methods) }),
    ...((since ?? until) != null && { createdAt }),
    ...(named.length > 0 && { $and: named }),
  };
}

/** The same in SQL, with the workspace. */
export async function paymentConditionSql(
  context: Context,
  filter: GatewayPaymentFilter,
): Promise<RawBuilder<SqlBool>> {
  const { status, methods, since, until } = filter;
  const conditions = [sql<SqlBool>`workspace_id = ${workspaceOf(context.viewer)}`];
  if (status != null) conditions.push(sql`status = ${status}`);
  if (methods != null) conditions.push(sql`method = ANY (${inEitherCase(methods)}::text[])`);
  if (since != null) conditions.push(sql`created_at >= ${since}`);
  if (until != null) conditions.push(sql`created_at < ${until}`);
  const accounts = sql`account_id = ANY (${accountsOf(context)}::uuid[])`;
  for (const ids of await namedBy(context, filter)) {
    const alternatives = Object.entries(ids).map(
      ([name, values]) =>
        sql`(${accounts} AND ${sql.ref(COLUMNS[name as keyof Ids])} = ANY (${[...values]}::text[]))`,
    );
    conditions.push(sql`(${sql.join(alternatives, sql` OR `)})`);
  }
  return sql`${sql.join(conditions, sql` AND `)}`;
}

/** A function of the column could not use the index under row-level security. */
function inEitherCase(methods: readonly string[]): string[] {
  return methods.flatMap(method => [method.toLowerCase(), method.toUpperCase()]);
}

const COLUMNS = {
  cfPaymentId: 'cf_payment_id',
  orderId: 'order_id',
  linkId: 'link_id',
  subscriptionId: 'subscription_id',
} as const;

/** Any of these IDs. Each alternative names the accounts, so that each uses an index. */
type Ids = Readonly<Record<keyof typeof COLUMNS, readonly string[]>>;

async function namedBy(
  context: Context,
  { objectId, search }: GatewayPaymentFilter,
): Promise<readonly Ids[]> {
  return [
    ...(objectId != null ? [idsLike(objectId)] : []),
    ...(search != null ? [await idsFound(context, search)] : []),
  ];
}

function idsLike(id: string): Ids {
  return { cfPaymentId: [id], orderId: [id], linkId: [id], subscriptionId: [id] };
}

/** A description that more objects share does not find anything in particular. */
const DESCRIBED_MAX = 1_000;

async function idsFound(context: Context, search: string): Promise<Ids> {
  const workspaceId = workspaceOf(context.viewer);
  const found = await rowsOf(
    await context.read(),
    sql<{ readonly linkId: string | null; readonly orderId: string | null }>`
      SELECT link_id, NULL AS order_id FROM gateway_links
      WHERE workspace_id = ${workspaceId} AND purpose = ${search}
      UNION ALL
      SELECT NULL, order_id FROM gateway_orders
      WHERE workspace_id = ${workspaceId} AND note = ${search}
      LIMIT ${DESCRIBED_MAX + 1}`,
  );
  if (found.length > DESCRIBED_MAX)
    reject('REPORT_TOO_LARGE', {
      message: `More than ${DESCRIBED_MAX} payment links and orders have this purpose or note. Search by ID.`,
    });
  const ids = idsLike(search);
  return {
    ...ids,
    orderId: [...ids.orderId, ...found.flatMap(({ orderId }) => orderId ?? [])],
    linkId: [...ids.linkId, ...found.flatMap(({ linkId }) => linkId ?? [])],
  };
}
