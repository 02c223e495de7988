import { HOUR_MS, MINUTE_MS } from '../../schema/values/durations.ts';
import type { OrganizationData, SdkKeyData } from './directory-data.ts';

/** The window of a scope's cap. Windows are aligned to the clock, in UTC. */
export type QuotaLimit = {
  /** The name of the counter in Postgres, equal on all nodes. */
  readonly scope: string;
  /** For the error message. */
  readonly name: string;
  readonly cap: number;
  readonly windowMs: number;
};

/** The caps that apply to a batch of this key; empty for most keys. */
export function limitsOfKey(key: SdkKeyData, organization: OrganizationData): QuotaLimit[] {
  const limits: QuotaLimit[] = [];
  if (key.minuteCap !== null) {
    const scope = `key:${key.id}:minute`;
    limits.push({ scope, name: 'minute cap', cap: key.minuteCap, windowMs: MINUTE_MS });
  }
  if (key.hourCap !== null) {
    const scope = `key:${key.id}:hour`;
    limits.push({ scope, name: 'hour cap', cap: key.hourCap, windowMs: HOUR_MS });
  }
  if (organization.eventsPerMinute !== null) {
    const scope = `organization:${organization.id}:minute`;
    const cap = organization.eventsPerMinute;
    limits.push({ scope, name: 'ingress limit', cap, windowMs: MINUTE_MS });
  }
  return limits;
}

/** The owner of the cap. */
export function ownerOfScope(scope: string): { readonly kind: string; readonly id: string } {
  const [kind, id] = scope.split(':');
  return { kind: kind!, id: id! };
}
