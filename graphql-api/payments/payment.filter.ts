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
  /** One of these IDs, or words of the link's purpose or of the order's note. */
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

/** Words that more objects have do not find anything in particular. */
const DESCRIBED_MAX = 1_000;
/** A longer search finds only texts that are equal. */
const WORDS_MAX = 10;

type Described = { readonly objectKind: 'link' | 'order'; readonly objectId: string };

async function idsFound(context: Context, search: string): Promise<Ids> {
  const equal = await describedBy(context, search);
  const similar = await describedByWords(context, search);
  if (similar.length > DESCRIBED_MAX && equal.length === 0)
    reject('REPORT_TOO_LARGE', {
      message: `More than ${DESCRIBED_MAX} payment links and orders have these words in their purpose or note. Add a word, or search by ID.`,
    });
  const found = similar.length > DESCRIBED_MAX ? equal : [...equal, ...similar];
  const ids = idsLike(search);
  const ofKind = (kind: Described['objectKind']) =>
    found.filter(({ objectKind }) => objectKind === kind).map(({ objectId }) => objectId);
  return {
    ...ids,
    orderId: [...new Set([...ids.orderId, ...ofKind('order')])],
    linkId: [...new Set([...ids.linkId, ...ofKind('link')])],
  };
}

/** The links and orders with this purpose or note. */
async function describedBy(context: Context, text: string): Promise<readonly Described[]> {
  const workspaceId = workspaceOf(context.viewer);
  return rowsOf(
    await context.read(),
    sql<Described>`
      SELECT 'link' AS object_kind, link_id AS object_id FROM gateway_links
      WHERE workspace_id = ${workspaceId} AND purpose = ${text}
      UNION ALL
      SELECT 'order', order_id FROM gateway_orders
      WHERE workspace_id = ${workspaceId} AND note = ${text}
      LIMIT ${DESCRIBED_MAX}`,
  );
}

/**
 * Each of the words is the beginning of one of the object's words; an object can be listed more than once.
 * Comparisons of text and `^@` are leakproof, so that they use the index under row-level security. The longest
 * word is looked up, because the fewest objects have it.
 */
async function describedByWords(context: Context, text: string): Promise<readonly Described[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  const words = await rowsOf(
    em,
    sql<{ readonly word: string }>`
      SELECT word FROM words_of(${text}) AS word ORDER BY length(word) DESC LIMIT ${WORDS_MAX + 1}`,
  );
  const [longest, ...others] = words;
  if (longest === undefined || words.length > WORDS_MAX) return [];
  const conditions = others.map(
    ({ word }) => sql<SqlBool>`EXISTS (
      SELECT FROM gateway_described_words other
      WHERE other.workspace_id = ${workspaceId} AND other.object_kind = described.object_kind
        AND other.object_id = described.object_id AND other.word ^@ ${word})`,
  );
  const begins = sql<SqlBool>`workspace_id = ${workspaceId} AND word ^@ ${longest.word}`;
  return rowsOf(
    em,
    sql<Described>`
      SELECT object_kind, object_id FROM gateway_described_words described
      WHERE ${sql.join([begins, ...conditions], sql` AND `)} LIMIT ${DESCRIBED_MAX + 1}`,
  );
}
