import type { Context } from '../platform/context.ts';
import { builder } from '../platform/graph/builder.ts';
import { expose } from '../platform/graph/fields.ts';
import { permitted } from '../platform/permit.ts';
import type { IngestNode, Spool } from '../platform/warehouse/ingest-nodes.ts';

const SpoolRef = builder.objectRef<Spool>('IngestSpool').implement({
  description: 'The data that an ingest node has accepted for a cell but not yet delivered.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    ...expose(t, 'String!', { cell: 'The slug of the cell.' }),
    ...expose(t, 'Float!', {
      bytes:
        'The size in bytes of the data on disk that is not yet in the warehouse or in Postgres.',
    }),
    ...expose(t, 'Float', {
      oldestUnsentSeconds:
        'The age in seconds of the oldest data that is not yet in the warehouse; 0 if there is none. Null if the node cannot determine the age, for example while no broker of its replicated log is responding.',
    }),
  }),
});

const IngestNodeRef = builder.objectRef<IngestNode>('IngestNode').implement({
  description:
    'The current state of an ingest node, including its undelivered data across all tenants.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    ...expose(t, 'Int!', {
      number: 'The position of the node in the configuration, starting at 1.',
    }),
    ...expose(t, 'Boolean!', {
      isAnswering: 'Whether the node is responding. If false, `spools` is empty.',
    }),
    ...expose(t, [SpoolRef], { spools: 'The node’s undelivered data, by cell.' }),
  }),
});

/** The field queries every node, and each node queries its threads. */
const INGEST_NODES_COST = 20;

builder.queryField('ingestNodes', t =>
  t.field({
    type: [IngestNodeRef],
    nullable: false,
    description: 'The ingest nodes and the undelivered data on their disks. Platform admins only.',
    authScopes: { platformAdmin: true },
    complexity: { field: INGEST_NODES_COST, multiplier: 1 },
    resolve: (_root, _args, { context }) => ingestNodes(context),
  }),
);

async function ingestNodes({ viewer, deps }: Context): Promise<IngestNode[]> {
  permitted(viewer, 'platformAdmin');
  const { nodes } = await deps.ingestNodes.ask();
  return [...nodes];
}
