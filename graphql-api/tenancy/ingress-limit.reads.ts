import type { Context } from '../platform/context.ts';

export type IngressLimit = {
  readonly id: string;
  /** Null if unlimited. */
  readonly eventsPerMinute: number | null;
};

/** The effective limit of each organization visible to the viewer's transaction: its own limit, or
 * the default of its cells. */
export async function ingressLimitsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly IngressLimit[]> {
  return (await context.read()).execute<IngressLimit[]>(INGRESS_LIMITS, [`{${ids.join()}}`]);
}

export const INGRESS_LIMITS = `
  SELECT organization_id AS id, events_per_minute AS "eventsPerMinute" FROM ingress_limits
  WHERE organization_id = ANY (?::uuid[])`;
