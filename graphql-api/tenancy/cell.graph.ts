import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, globalId, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { cellCreate, cellCreateContract, cellUpdate, cellUpdateContract } from './cell.actions.ts';
import type { Cell } from './cell.entity.ts';
import { cellsByIds, openRegions, platformCells, workspaceCountsByCells } from './cell.reads.ts';

export const cellById = loaderById(cellsByIds);
const workspaceCountByCell = loaderById(workspaceCountsByCells);

/** Not a node: a cell belongs to no tenant, so `node` could not check access to it. */
export const CellRef = memberObject<Cell>('Cell', {
  description: 'A warehouse in a region. Each workspace stores its events in one cell.',
  fields: t => ({
    id: globalId(t, 'id', 'Cell', 'The ID to pass to `cellUpdate`.'),
    ...expose(t, 'String!', {
      slug: 'The short name of the cell. It is used in the name of the cell’s `CLICKHOUSE_URL_…` environment variable.',
      region:
        'The region of the cell. The `regions` query returns this region while the cell is enabled.',
    }),
    ...expose(t, 'Boolean!', {
      isEnabled:
        'Whether the cell accepts events. If false, ingest returns status 502 to the cell’s tenants.',
    }),
    ...expose(t, 'Int', {
      ingressEventsPerMinute:
        'The default ingress limit, in events per minute, for organizations with a workspace in this cell; null if unlimited. The limit applies to all of an organization’s SDK keys combined.',
    }),
    workspaceCount: t.int({
      description:
        'The number of workspaces in the cell, across all organizations. Platform admins only.',
      authScopes: { platformAdmin: true },
      resolve: async ({ id }, _args, graph) =>
        (await workspaceCountByCell(graph, id))?.workspaceCount ?? 0,
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the cell was added.' }),
  }),
});

const CellConnection = connectionType('Cell', CellRef);

pageQuery('cells', {
  type: CellConnection,
  description: 'All cells. Platform admins only.',
  access: 'platformAdmin',
  page: platformCells.page,
});

builder.queryField('regions', t =>
  t.stringList({
    nullable: false,
    description: 'The regions available for a new workspace: those with an enabled cell.',
    authScopes: { member: true },
    complexity: 1,
    resolve: async (_root, _args, { context }) => [...(await openRegions(context))],
  }),
);

mutation({
  name: 'cellCreate',
  description:
    'Registers a cell. Before you create the cell’s first workspace, set the cell’s ClickHouse address (`CLICKHOUSE_URL_…`) for every ingest node and API process. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    slug: t.string({
      required: true,
      description:
        'The short name of the cell: up to 32 lowercase letters, digits and hyphens. It cannot be changed later, because it is used in the name of the cell’s `CLICKHOUSE_URL_…` environment variable.',
    }),
    region: t.string({
      required: true,
      description: 'The region of the cell. Owners choose a region when they create a workspace.',
    }),
  }),
  contract: cellCreateContract,
  codes: ['CELL_EXISTS'],
  action: cellCreate,
  payload: changedObject('cell', CellRef, cellById, 'The new cell.'),
});

mutation({
  name: 'cellUpdate',
  description:
    'Enables or disables a cell, or sets the default ingress limit for its tenants. Ingest applies the change within a second. Omitted fields are unchanged. While a cell is disabled, ingest returns 502 to the cell’s tenants, and their SDKs retry. Platform admins only.',
  access: 'platformAdmin',
  target: CellRef,
  input: t => ({
    isEnabled: t.boolean({ description: 'Whether the cell accepts events.' }),
    ingressEventsPerMinute: t.int({
      description:
        'The ingress limit, in events per minute, for organizations that have no limit of their own; null removes the limit.',
    }),
  }),
  contract: cellUpdateContract,
  codes: ['NOT_FOUND'],
  action: cellUpdate,
  payload: changedObject('cell', CellRef, cellById, 'The updated cell.'),
});
