// The filter of the list and of the totals, as a condition of each query builder.

import type { SqlBool } from 'kysely';
import type { Context } from '../platform/context.ts';
import { type RawBuilder, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { accountsOf } from './object.reads.ts';

/** Omitted fields do not filter. */
export type GatewayPaymentFilter = {
  readonly status?: string | null | undefined;
  /** In any letter case, since the gateway's differs between versions of its API. */
  readonly methods?: readonly string[] | null | undefined;
  /** The ID of the payment, or of its order, link or subscription. */
  readonly objectId?: string | null | undefined;
  /** The earliest creation time, inclusive. */
  readonly since?: Date | null | undefined;
  /** The latest creation time, exclusive. */
  readonly until?: Date | null | undefined;
};

/** For the ORM, without the workspace. */
export function paymentCondition(
  context: Context,
  { status, methods, objectId, since, until }: GatewayPaymentFilter,
): object {
  const createdAt = { ...(since != null && { $gte: since }), ...(until != null && { $lt: until }) };
  return {
    ...(status != null && { status }),
    ...(methods != null && { method: inEitherCase(methods) }),
    ...((since ?? until) != null && { createdAt }),
    ...(objectId != null && { $or: anyIdIs(context, objectId) }),
  };
}

/** A function of the column could not use the index under row-level security. */
function inEitherCase(methods: readonly string[]): string[] {
  return methods.flatMap(method => [method.toLowerCase(), method.toUpperCase()]);
}

/** Each alternative names the accounts, so that each uses an index. */
function anyIdIs(context: Context, id: string): readonly object[] {
  const accountId = accountsOf(context);
  return ['cfPaymentId', 'orderId', 'linkId', 'subscriptionId'].map(name => ({
    accountId,
    [name]: id,
  }));
}

/** The same in SQL, with the workspace. */
export function paymentConditionSql(
  context: Context,
  { status, methods, objectId, since, until }: GatewayPaymentFilter,
): RawBuilder<SqlBool> {
  const conditions = [sql<SqlBool>`workspace_id = ${workspaceOf(context.viewer)}`];
  if (status != null) conditions.push(sql`status = ${status}`);
  if (methods != null) conditions.push(sql`method = ANY (${inEitherCase(methods)}::text[])`);
  if (since != null) conditions.push(sql`created_at >= ${since}`);
  if (until != null) conditions.push(sql`created_at < ${until}`);
  if (objectId != null) {
    const accounts = sql`account_id = ANY (${accountsOf(context)}::uuid[])`;
    const alternatives = ['cf_payment_id', 'order_id', 'link_id', 'subscription_id'].map(
      name => sql`(${accounts} AND ${sql.ref(name)} = ${objectId})`,
    );
    conditions.push(sql`(${sql.join(alternatives, sql` OR `)})`);
  }
  return sql`${sql.join(conditions, sql` AND `)}`;
}
