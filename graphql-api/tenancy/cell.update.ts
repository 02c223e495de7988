import { LockMode } from '@mikro-orm/postgresql';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { CellUpdate } from './cell.contract.ts';
import { Cell } from './cell.entity.ts';

/** Enables or disables a cell (ingest returns 502 to its tenants while it is disabled), and sets
 * the default ingress limit of its tenants. */
export async function cellUpdate(
  { em, audit }: ActionScope,
  { id, ...changes }: CellUpdate,
): Promise<{ readonly id: string }> {
  const cell = await em.findOne(Cell, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (cell === null)
    return reject('NOT_FOUND', { field: ['id'], message: 'No cell exists with this ID.' });
  const before = shownOf(cell);
  if (changes.isEnabled !== undefined) cell.isEnabled = changes.isEnabled;
  if (changes.ingressEventsPerMinute !== undefined)
    cell.ingressEventsPerMinute = changes.ingressEventsPerMinute;
  await em.flush();
  await audit({
    action: 'cell.update',
    subjectType: 'cell',
    subjectId: id,
    before,
    after: shownOf(cell),
    organizationId: null,
    workspaceId: null,
  });
  return { id };
}

function shownOf({ isEnabled, ingressEventsPerMinute = null }: Cell) {
  return { isEnabled, ingressEventsPerMinute };
}
