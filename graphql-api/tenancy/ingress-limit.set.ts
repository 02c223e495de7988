import { LockMode } from '@mikro-orm/postgresql';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { IngressLimitSet } from './ingress-limit.contract.ts';
import { Organization } from './organization.entity.ts';

/** Sets the ingress limit of an organization, or resets it to the default of its cells. */
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
      message: 'No organization exists with this ID.',
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
