import { builder } from '../platform/graph/builder.ts';
import type { IngestNode, Spool } from '../platform/warehouse/ingest-nodes.ts';
import { ingestNodes } from './ingest-node.reads.ts';

const SpoolRef = builder.objectRef<Spool>('IngestSpool').implement({
  description: 'The data that an ingest node has accepted for a cell and not yet delivered.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    cell: t.exposeString('cell', { nullable: false, description: 'The slug of the cell.' }),
    bytes: t.exposeFloat('bytes', {
      nullable: false,
      description:
        'The size in bytes of the data on disk that is not yet in the warehouse or in Postgres.',
    }),
    oldestUnsentSeconds: t.exposeFloat('oldestUnsentSeconds', {
      nullable: false,
      description:
        'The age in seconds of the oldest data that is not yet in the warehouse; 0 if there is none.',
    }),
  }),
});

const IngestNodeRef = builder.objectRef<IngestNode>('IngestNode').implement({
  description: 'The current state of an ingest node, with undelivered data of all tenants.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    number: t.exposeInt('number', {
      nullable: false,
      description: 'The position of the node in the configuration, starting at 1.',
    }),
    isAnswering: t.exposeBoolean('isAnswering', {
      nullable: false,
      description: 'Whether the node responds. If false, `spools` is empty.',
    }),
    spools: t.field({
      type: [SpoolRef],
      nullable: false,
      description: 'The undelivered data of the node, by cell.',
      resolve: ({ spools }) => [...spools],
    }),
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
