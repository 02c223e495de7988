import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { changeEntity, lockEntity } from '../platform/change-entity.ts';
import { kysely } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Cell } from './cell.entity.ts';
import { eventsPerMinute } from './organization.actions.ts';

const REGION_CHARACTERS_MAX = 100;

export const cellCreateContract = z.strictObject({
  slug: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, {
    error:
      'must start with a lowercase letter and have at most 32 characters: lowercase letters, digits and hyphens.',
  }),
  region: requiredText(REGION_CHARACTERS_MAX),
});

/** Omitted fields are unchanged; null removes the limit. */
export const cellUpdateContract = z.strictObject({
  id: z.uuid(),
  isEnabled: z.boolean().optional(),
  ingressEventsPerMinute: eventsPerMinute.nullish(),
});

/** Registers a cell, whose ClickHouse address is configured by its slug in the environment. */
export async function cellCreate(
  { em, deps, audit }: ActionScope,
  { slug, region }: z.output<typeof cellCreateContract>,
): Promise<{ readonly id: string }> {
  const id = deps.newId();
  const rows = await kysely(em)
    .insertInto('cells')
    .values({ id, slug, region, isEnabled: true, createdAt: new Date(deps.clock.nowMs()) })
    .onConflict(conflict => conflict.column('slug').doNothing())
    .returning('id')
    .execute();
  if (rows.length === 0) reject('CELL_EXISTS', { field: ['slug'] });
  await audit({
    action: 'cell.create',
    subjectId: id,
    after: { slug, region },
    organizationId: null,
    workspaceId: null,
  });
  return { id };
}

/** Enables or disables a cell (ingest returns 502 to its tenants while it is disabled), and sets
 * the default ingress limit of its tenants. */
export async function cellUpdate(
  scope: ActionScope,
  { id, ...changes }: z.output<typeof cellUpdateContract>,
): Promise<{ readonly id: string }> {
  const cell = (await lockEntity(scope, Cell, { id })) ?? notFound('cell', 'id');
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
