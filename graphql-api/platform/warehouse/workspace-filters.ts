import { ALL_TABLES } from '../../../schema/rows/all-tables.ts';
import { isUuid } from '../../../schema/values/uuid.ts';

const TABLES = [
  ...ALL_TABLES.filter(({ destination }) => destination === 'warehouse').flatMap(({ name }) => [
    name,
    `${name}_all`,
  ]),
  'events_late',
];

/** On a single server, these are views of the others. */
const TABLES_OF_CLUSTER = [...TABLES, 'events', 'event_id_collisions'];

/**
 * The second layer of tenant isolation: the value of `additional_table_filters`. Settings take no
 * parameters, but a UUID needs no escaping.
 */
export function workspaceFilters(workspaceId: string, isCluster = false): string {
  requireUuid(workspaceId);
  const tables = isCluster ? TABLES_OF_CLUSTER : TABLES;
  const filters = tables.map(table => `'${table}': 'workspace_id = \\'${workspaceId}\\''`);
  return `{${filters.join(', ')}}`;
}

export function requireUuid(workspaceId: string): void {
  if (!isUuid(workspaceId)) throw new Error('workspaceId must be a UUID');
}
