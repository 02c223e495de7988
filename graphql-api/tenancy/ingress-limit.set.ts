import { LockMode } from '@mikro-orm/postgresql';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { IngressLimitSet } from './ingress-limit.contract.ts';
import { Organization } from './organization.entity.ts';

/** A platform admin sets what all keys of an organisation may send in a minute, or leaves it to its cells. */
export async function ingressLimitSet(
  { em, audit }: ActionScope,
  { organizationId: id, eventsPerMinute }: IngressLimitSet,
): Promise<{ readonly id: string }> {
  const organization = await em.findOne(
    Organization,
    { id },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (organization === null)
    return reject('NOT_FOUND', {
      field: ['organizationId'],
      message: 'There is no such organisation.',
    });
  const before = { ingressEventsPerMinute: organization.ingressEventsPerMinute ?? null };
  organization.ingressEventsPerMinute = eventsPerMinute;
  await em.flush();
  await audit({
    action: 'organization.ingress_limit',
    subjectType: 'organization',
    subjectId: id,
    organizationId: id,
    workspaceId: null,
    before,
    after: { ingressEventsPerMinute: eventsPerMinute },
  });
  return { id };
}
