import { z } from 'zod';
import { changeEntity, lockEntity } from '../platform/change-entity.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Cell } from './cell.entity.ts';
import { eventsPerMinute } from './organization.actions.ts';

/** Omitted fields are unchanged; null removes the limit. */
export const cellUpdateContract = z.strictObject({
  id: z.uuid(),
  isEnabled: z.boolean().optional(),
  ingressEventsPerMinute: eventsPerMinute.nullish(),
});

/** Enables or disables a cell (ingest returns 502 to its tenants while it is disabled), and sets
 * the default ingress limit of its tenants. */
export async function cellUpdate(
  scope: ActionScope,
  { id, ...changes }: z.output<typeof cellUpdateContract>,
): Promise<{ readonly id: string }> {
  const cell =
    (await lockEntity(scope, Cell, { id })) ??
    reject('NOT_FOUND', { field: ['id'], message: 'No cell exists with this ID.' });
  return changeEntity(scope, cell, changes, {
    action: 'cell.update',
    shown: ({ isEnabled, ingressEventsPerMinute = null }) => ({
      isEnabled,
      ingressEventsPerMinute,
    }),
    organizationId: null,
    workspaceId: null,
  });
}
