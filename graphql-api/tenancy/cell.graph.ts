import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { cellUpdateContract } from './cell.contract.ts';
import type { Cell } from './cell.entity.ts';
import { cellsByIds, cellsPage, openRegions, workspaceCountsByCells } from './cell.reads.ts';
import { cellUpdate } from './cell.update.ts';

export const cellById = loaderById(cellsByIds);
const workspaceCountByCell = loaderById(workspaceCountsByCells);

/** No node: it is nobody's, so there is nothing for `node` to tell the tenants apart by. */
export const CellRef = builder.objectRef<Cell>('Cell').implement({
  description: 'A region’s warehouse; a workspace’s events are in one.',
  authScopes: { member: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'What cellUpdate takes.',
      resolve: ({ id }) => encodeNodeId('Cell', id),
    }),
    slug: t.exposeString('slug', {
      nullable: false,
      description: 'By which its address is configured.',
    }),
    region: t.exposeString('region', { nullable: false, description: 'Where it is.' }),
    isEnabled: t.exposeBoolean('isEnabled', {
      nullable: false,
      description: 'Whether it takes events; where not, ingest answers its tenants 502.',
    }),
    ingressEventsPerMinute: t.exposeInt('ingressEventsPerMinute', {
      description:
        'What all keys of an organisation with a workspace here may send in a minute, where it has no limit of its own; null is unlimited.',
    }),
    workspaceCount: t.int({
      description: 'How many workspaces it has, of all organisations; for platform admins.',
      authScopes: { platformAdmin: true },
      resolve: async ({ id }, _args, graph) =>
        (await workspaceCountByCell(graph, id))?.workspaceCount ?? 0,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was added.',
    }),
  }),
});

const CellConnection = connectionType('Cell', CellRef);

builder.queryField('cells', t =>
  t.field({
    type: CellConnection,
    nullable: false,
    description: 'Every cell and its state, for platform admins.',
    authScopes: { platformAdmin: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await cellsPage(context, page), page),
  }),
);

builder.queryField('regions', t =>
  t.stringList({
    nullable: false,
    description: 'Where a new workspace can be: the regions of the cells that take events.',
    authScopes: { member: true },
    complexity: 1,
    resolve: async (_root, _args, { context }) => [...(await openRegions(context))],
  }),
);

mutation({
  name: 'cellUpdate',
  description:
    'Switches a cell on or off or sets the ingress limit of its tenants, for platform admins; ingest follows within a second. What is left out stays. While a cell is off, its tenants get 502 and retry.',
  access: 'platformAdmin',
  target: CellRef,
  input: t => ({
    isEnabled: t.boolean({ description: 'Whether it takes events.' }),
    ingressEventsPerMinute: t.int({
      description: 'The ingress limit of each organisation without one of its own; null lifts it.',
    }),
  }),
  contract: cellUpdateContract,
  codes: ['NOT_FOUND'],
  action: cellUpdate,
  payload: t => ({
    cell: t.field({
      type: CellRef,
      description: 'The cell as it is now.',
      resolve: ({ result }, _args, graph) => result && cellById(graph, result.id),
    }),
  }),
});
