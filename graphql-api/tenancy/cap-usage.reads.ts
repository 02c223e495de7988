// The usage of caps by a workspace's SDK keys in the current windows. Ingest keeps the counters in
// Postgres, where only the system role can read them. The scopes to read come from the viewer's own
// transaction, so row-level security still applies.

import { HOUR_MS, MINUTE_MS } from '../../schema/values/durations.ts';
import type { Context } from '../platform/context.ts';
import { kysely } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { ingressLimitsByIds } from './organization.reads.ts';
import { activeSdkKeys, SdkKey } from './sdk-key.entity.ts';

export type CapUsage = {
  readonly cap: number;
  readonly used: number;
  readonly windowStart: Date;
};

export type KeyUsage = {
  readonly keyId: string;
  /** Undefined if the key has no cap, because nothing is counted then. */
  readonly minute: CapUsage | undefined;
  readonly hour: CapUsage | undefined;
};

export type CapsUsage = {
  readonly organizationMinute: CapUsage | undefined;
  readonly keys: readonly KeyUsage[];
};

export async function capsUsage(context: Context): Promise<CapsUsage> {
  const workspaceId = workspaceOf(context.viewer);
  const { organizationId } = context.viewer!;
  const em = await context.read();
  const nowMs = context.deps.clock.nowMs();
  const order = { createdAt: 'desc', id: 'desc' } as const;
  // The number of active keys is limited when one is created.
  const active = { workspaceId, ...activeSdkKeys(nowMs) };
  const keys = await em.find(SdkKey, active, { orderBy: order });
  const [limit] = await ingressLimitsByIds(context, [organizationId]);
  const organization = `organization:${organizationId}:minute`;
  const scopes = keys.flatMap(({ id }) => [`key:${id}:minute`, `key:${id}:hour`]);
  const used = await usedOf(context, [...scopes, organization], nowMs);
  // Nodes lease allowance in advance, and the last lease of a window can exceed the cap.
  const usage = (scope: string, cap: number | null | undefined, windowMs: number) => {
    const windowStart = windowAt(nowMs, windowMs);
    return cap == null
      ? undefined
      : { cap, used: used.get(`${scope} ${windowStart.getTime()}`) ?? 0, windowStart };
  };
  return {
    organizationMinute: usage(organization, limit?.eventsPerMinute, MINUTE_MS),
    keys: keys.map(({ id, minuteCap, hourCap }) => ({
      keyId: id,
      minute: usage(`key:${id}:minute`, minuteCap, MINUTE_MS),
      hour: usage(`key:${id}:hour`, hourCap, HOUR_MS),
    })),
  };
}

/** The usage of each scope in the current window, keyed by `<scope> <ms>`. */
async function usedOf(
  context: Context,
  scopes: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const starts = [MINUTE_MS, HOUR_MS].map(windowMs => windowAt(nowMs, windowMs));
  const rows = await context.deps.database.asSystem(em =>
    kysely(em)
      .selectFrom('quota_windows')
      .select(['scope', 'windowStart', 'used'])
      .where('scope', 'in', scopes)
      .where('windowStart', 'in', starts)
      .execute(),
  );
  return new Map(rows.map(row => [`${row.scope} ${row.windowStart.getTime()}`, Number(row.used)]));
}

/** Windows are aligned to the clock, in UTC. */
function windowAt(nowMs: number, windowMs: number): Date {
  return new Date(Math.floor(nowMs / windowMs) * windowMs);
}
