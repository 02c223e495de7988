import { builder } from '../platform/graph/builder.ts';
import type { IngestNode, Spool } from '../platform/warehouse/ingest-nodes.ts';
import { ingestNodes } from './ingest-node.reads.ts';

const SpoolRef = builder.objectRef<Spool>('IngestSpool').implement({
  description: 'What a node of ingest has taken for a cell and not yet brought to its warehouse.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    cell: t.exposeString('cell', { nullable: false, description: 'The cell’s slug.' }),
    bytes: t.exposeFloat('bytes', {
      nullable: false,
      description: 'On disk, and not in the warehouse or not in Postgres yet.',
    }),
    oldestUnsentSeconds: t.exposeFloat('oldestUnsentSeconds', {
      nullable: false,
      description: 'How long the oldest of it has waited for the warehouse; 0 where nothing waits.',
    }),
  }),
});

const IngestNodeRef = builder.objectRef<IngestNode>('IngestNode').implement({
  description: 'A node of ingest, as it is now, with what it holds of all tenants.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    number: t.exposeInt('number', {
      nullable: false,
      description: 'Its place in the configuration, from 1.',
    }),
    isAnswering: t.exposeBoolean('isAnswering', {
      nullable: false,
      description: 'False: nothing is known of its spools now.',
    }),
    spools: t.field({
      type: [SpoolRef],
      nullable: false,
      description: 'By cell.',
      resolve: ({ spools }) => [...spools],
    }),
  }),
});

/** It asks every node, each of which asks its threads. */
const INGEST_NODES_COST = 20;

builder.queryField('ingestNodes', t =>
  t.field({
    type: [IngestNodeRef],
    nullable: false,
    description: 'The nodes of ingest and what waits on their disks, for platform admins.',
    authScopes: { platformAdmin: true },
    complexity: { field: INGEST_NODES_COST, multiplier: 1 },
    resolve: (_root, _args, { context }) => ingestNodes(context),
  }),
);
