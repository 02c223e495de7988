import type { EntityManager } from '@mikro-orm/postgresql';
import type { PostScope } from '../partner/ledger/post.ts';
import { type RawBuilder, rowsOf, sql } from '../platform/database/kysely.ts';
import type { OpenObject } from './ask-gateway.ts';
import { OPEN_LINK_STATUSES } from './facts/link-state.ts';
import { OPEN_ORDER_STATUSES } from './facts/order-state.ts';
import { OPEN_REFUND_STATUSES } from './facts/refund-state.ts';
import { OPEN_SUBSCRIPTION_STATUSES } from './facts/subscription-state.ts';

/**
 * The gateway sends a webhook three times within half an hour. After that, only a query finds the
 * change.
 */
const FIRST_ASKED_MINUTES = 15;
/** The interval between queries grows: an eighth of the object's age, at most a day. */
const AGE_PARTS = 8;
/** Per account and table. The strictest rate limit of the gateway is 30 calls per minute. */
const OF_ACCOUNT_MAX = 25;
/** Per table for all accounts, so that a run ends before the next one begins. */
const OF_EACH_MAX = 200;
/**
 * The gateway keeps idempotency keys for a day, and the client may repeat the request in that time.
 */
const ABANDONED_HOURS = 24;
/** Older objects are no longer queried. */
const AGE_DAYS_MAX = 400;

type Table = {
  readonly kind: OpenObject['kind'];
  readonly name: string;
  readonly idColumn: string;
  readonly statuses: readonly string[];
};

/** A plan does not change once it is created, and the later statuses of a vendor come from events. */
const BEING_CREATED = ['CREATING'];

/** Refunds are first, because their rate limit is the lowest. */
const TABLES: readonly Table[] = [
  {
    kind: 'refund',
    name: 'gateway_refunds',
    idColumn: 'refund_id',
    statuses: OPEN_REFUND_STATUSES,
  },
  { kind: 'link', name: 'gateway_links', idColumn: 'link_id', statuses: OPEN_LINK_STATUSES },
  { kind: 'order', name: 'gateway_orders', idColumn: 'order_id', statuses: OPEN_ORDER_STATUSES },
  {
    kind: 'subscription',
    name: 'gateway_subscriptions',
    idColumn: 'subscription_id',
    statuses: OPEN_SUBSCRIPTION_STATUSES,
  },
  { kind: 'plan', name: 'gateway_plans', idColumn: 'plan_id', statuses: BEING_CREATED },
  { kind: 'vendor', name: 'gateway_vendors', idColumn: 'vendor_id', statuses: BEING_CREATED },
];

/** Selects objects that have been open for too long, and marks them as checked. */
export async function takeOpenObjects(
  em: EntityManager,
  nowMs: number,
): Promise<readonly OpenObject[]> {
  const found: OpenObject[] = [];
  for (const table of TABLES) found.push(...(await takeOf(em, table, new Date(nowMs))));
  return found;
}

/** Marks an object as refused: the gateway does not have it, a day after the request. */
export async function neverMade(
  { em, deps }: PostScope,
  { kind, id }: Pick<OpenObject, 'kind' | 'id'>,
): Promise<void> {
  const { name } = TABLES.find(table => table.kind === kind)!;
  await rowsOf(
    em,
    sql`UPDATE ${sql.table(name)} SET status = 'REFUSED', error_code = 'never_made',
          error_message = 'The payment gateway did not create it.',
          updated_at = ${new Date(deps.clock.nowMs())}
        WHERE id = ${id} AND status = 'CREATING'`,
  );
}

function takeOf(
  em: EntityManager,
  { kind, name, idColumn, statuses }: Table,
  at: Date,
): Promise<OpenObject[]> {
  const table = sql.table(name);
  const now = sql`${at}::timestamptz`;
  const owner = sql.raw(
    kind === 'refund' ? 'order_id, subscription_id' : 'NULL AS order_id, NULL AS subscription_id',
  );
  return rowsOf(
    em,
    sql<OpenObject>`
      WITH due AS (
        SELECT id, checked_at,
          row_number() OVER (PARTITION BY account_id ORDER BY checked_at NULLS FIRST) AS place
        FROM ${table}
        WHERE (status = ANY(${statuses}) OR (${kind === 'link' ? paidByUnknown(now) : sql`false`}))
          AND created_at > ${now} - make_interval(days => ${AGE_DAYS_MAX})
          AND coalesce(checked_at, created_at) < ${now} - greatest(
            make_interval(mins => ${FIRST_ASKED_MINUTES}),
            least((${now} - created_at) / ${AGE_PARTS}, interval '1 day'))
      ), chosen AS (
        SELECT id FROM due WHERE place <= ${OF_ACCOUNT_MAX}
        ORDER BY place, checked_at NULLS FIRST LIMIT ${OF_EACH_MAX})
      UPDATE ${table} SET checked_at = ${now}
      WHERE id IN (
        SELECT id FROM ${table} WHERE id IN (SELECT id FROM chosen) FOR UPDATE SKIP LOCKED)
      RETURNING ${kind} AS kind, id, account_id, ${sql.ref(idColumn)} AS object_id, status, ${owner},
        status = 'CREATING' AND created_at < ${now} - make_interval(hours => ${ABANDONED_HOURS})
          AS is_abandoned`,
  );
}

/** A paid link whose recorded payments do not add up: the webhooks of the others were lost. */
function paidByUnknown(now: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`status = 'PAID' AND status_at > ${now} - interval '7 days'
    AND amount_paid_minor > (
      SELECT coalesce(sum(payment.amount_minor), 0) FROM gateway_payments payment
      WHERE payment.account_id = gateway_links.account_id
        AND payment.link_id = gateway_links.link_id AND payment.status = 'SUCCESS')`;
}
