import { outboxRowsContract } from '../operations.contract.ts';
import {
  outboxRowDiscard,
  outboxRowRetry,
  type SettledRows,
} from '../warehouse/outbox-row.actions.ts';
import type { OutboxRow } from '../warehouse/outbox-row.entity.ts';
import { outboxRowValuesByIds, refusedOutboxRowsPage } from '../warehouse/outbox-row.reads.ts';
import { builder } from './builder.ts';
import { connectionOfPage, connectionType, pageArgs, pageCost } from './connection.ts';
import { loaderById } from './loader.ts';
import { mutation, type PayloadFields } from './mutation.ts';
import { encodeNodeId } from './node-id.ts';

const valuesById = loaderById(outboxRowValuesByIds);

/** No node: it is the platform's to look at, whosoever's it is. */
const OutboxRowRef = builder.objectRef<OutboxRow>('OutboxRow').implement({
  description:
    'A row for the warehouse that ingest refused for good, so that it waits for a person.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'What outboxRowRetry and outboxRowDiscard take.',
      resolve: ({ id }) => encodeNodeId('OutboxRow', id),
    }),
    workspaceId: t.id({
      nullable: false,
      description: 'Whose it is.',
      resolve: ({ workspaceId }) => encodeNodeId('Workspace', workspaceId),
    }),
    table: t.exposeString('tableName', {
      nullable: false,
      description: 'The table of the warehouse.',
    }),
    row: t.field({
      type: 'JSON',
      description: 'Its values by column; read only where asked for.',
      resolve: async ({ id }, _args, graph) => (await valuesById(graph, id))?.row,
    }),
    reason: t.exposeString('failure', { description: 'Why it was refused: status and words.' }),
    attempts: t.exposeInt('attempts', { nullable: false, description: 'How often it was posted.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was put there.',
    }),
    failedAt: t.expose('failedAt', { type: 'DateTime', description: 'When it was refused.' }),
  }),
});

const OutboxRowConnection = connectionType('OutboxRow', OutboxRowRef);

builder.queryField('refusedOutboxRows', t =>
  t.field({
    type: OutboxRowConnection,
    nullable: false,
    description: 'Rows for the warehouse that ingest refused for good, for platform admins.',
    authScopes: { platformAdmin: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await refusedOutboxRowsPage(context, page), page),
  }),
);

mutation({
  name: 'outboxRowRetry',
  description:
    'Has refused rows sent again, at most 100, all of them or none, for platform admins. Refused again, they are back with the reason.',
  access: 'platformAdmin',
  input: t => ({ ids: t.globalIDList({ required: true, description: 'The rows.' }) }),
  contract: outboxRowsContract,
  codes: ['NOT_FOUND'],
  action: outboxRowRetry,
  payload: settledRows('The rows that are on their way now.'),
});

mutation({
  name: 'outboxRowDiscard',
  description:
    'Removes refused rows, at most 100, all of them or none, for platform admins. The warehouse never gets them.',
  access: 'platformAdmin',
  input: t => ({ ids: t.globalIDList({ required: true, description: 'The rows.' }) }),
  contract: outboxRowsContract,
  codes: ['NOT_FOUND'],
  action: outboxRowDiscard,
  payload: settledRows('The rows that are gone.'),
});

function settledRows(description: string) {
  return (t: PayloadFields<SettledRows>) => ({
    ids: t.idList({
      description,
      resolve: ({ result }) => result?.ids.map(id => encodeNodeId('OutboxRow', id)),
    }),
  });
}
