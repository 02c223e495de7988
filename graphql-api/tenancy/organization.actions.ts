import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { changeEntity, lockEntity } from '../platform/change-entity.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { wholeNumber } from '../platform/whole-number.contract.ts';
import { Organization } from './organization.entity.ts';

export const NAME_CHARACTERS_MAX = 100;
/** The column's range. */
const EVENTS_MAX = 2_147_483_647;

export const eventsPerMinute = wholeNumber(1, EVENTS_MAX);

export const organizationUpdateContract = z.strictObject({
  name: requiredText(NAME_CHARACTERS_MAX),
});

export const ingressLimitSetContract = z.strictObject({
  organizationId: z.uuid(),
  /** Null applies the default of the organization's cells. */
  eventsPerMinute: eventsPerMinute.nullable(),
});

/** Renames the viewer's organization. */
export async function organizationUpdate(
  scope: ActionScope,
  { name }: z.output<typeof organizationUpdateContract>,
): Promise<{ readonly id: string }> {
  const id = scope.viewer.organizationId;
  const organization = (await lockEntity(scope, Organization, { id })) ?? reject('FORBIDDEN');
  return changeEntity(
    scope,
    organization,
    { name },
    {
      action: 'organization.update',
      shown: ({ name }) => ({ name }),
      // The change belongs to no workspace, even if the request names one.
      workspaceId: null,
    },
  );
}

/** Sets the ingress limit of an organization, or resets it to the lowest default of its cells. */
export async function ingressLimitSet(
  scope: ActionScope,
  { organizationId: id, eventsPerMinute }: z.output<typeof ingressLimitSetContract>,
): Promise<{ readonly id: string }> {
  const organization =
    (await lockEntity(scope, Organization, { id })) ?? notFound('organization', 'organizationId');
  const values = { ingressEventsPerMinute: eventsPerMinute };
  return changeEntity(scope, organization, values, {
    action: 'organization.ingress_limit',
    shown: ({ ingressEventsPerMinute = null }) => ({ ingressEventsPerMinute }),
    organizationId: id,
    workspaceId: null,
  });
}
