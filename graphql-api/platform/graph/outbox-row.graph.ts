import { outboxRowsContract } from '../operations.contract.ts';
import {
  outboxRowDiscard,
  outboxRowRetry,
  type SettledRows,
} from '../warehouse/outbox-row.actions.ts';
import type { OutboxRow } from '../warehouse/outbox-row.entity.ts';
import { outboxRowValuesByIds, refusedOutboxRowsPage } from '../warehouse/outbox-row.reads.ts';
import { builder } from './builder.ts';
import { connectionType, pageQuery } from './connection.ts';
import { expose } from './fields.ts';
import { loaderById } from './loader.ts';
import { mutation, type PayloadFields } from './mutation.ts';
import { encodeNodeId } from './node-id.ts';

const valuesById = loaderById(outboxRowValuesByIds);

/** Not a node: only platform admins see these rows, whichever workspace they belong to. */
const OutboxRowRef = builder.objectRef<OutboxRow>('OutboxRow').implement({
  description:
    'A warehouse row that ingest rejected permanently. It remains stored until a platform admin retries or discards it.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'The ID to pass to `outboxRowRetry` and `outboxRowDiscard`.',
      resolve: ({ id }) => encodeNodeId('OutboxRow', id),
    }),
    workspaceId: t.id({
      nullable: false,
      description: 'The ID of the workspace that the row belongs to.',
      resolve: ({ workspaceId }) => encodeNodeId('Workspace', workspaceId),
    }),
    table: t.exposeString('tableName', {
      nullable: false,
      description: 'The warehouse table to which the row belongs.',
    }),
    row: t.field({
      type: 'JSON',
      description: 'The values of the row, keyed by column. Loaded only if this field is selected.',
      resolve: async ({ id }, _args, graph) => (await valuesById(graph, id))?.row,
    }),
    reason: t.exposeString('failure', {
      description: 'Why ingest rejected the row: the HTTP status and the error message.',
    }),
    ...expose(t, 'Int!', { attempts: 'The number of attempts to send the row.' }),
    ...expose(t, 'DateTime!', { createdAt: 'When the row was created.' }),
    ...expose(t, 'DateTime', { failedAt: 'When ingest rejected the row.' }),
  }),
});

pageQuery('refusedOutboxRows', {
  type: connectionType('OutboxRow', OutboxRowRef),
  description: 'The warehouse rows that ingest rejected permanently. Platform admins only.',
  access: 'platformAdmin',
  page: refusedOutboxRowsPage,
});

mutation({
  name: 'outboxRowRetry',
  description:
    'Sends up to 100 rejected warehouse rows to ingest again. Either all of them are sent or none are. Rows that ingest rejects again return to `refusedOutboxRows` with the new reason. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({ ids: t.globalIDList({ required: true, description: 'The IDs of the rows.' }) }),
  contract: outboxRowsContract,
  codes: ['NOT_FOUND'],
  action: outboxRowRetry,
  payload: settledRows('The IDs of the rows that were queued again.'),
});

mutation({
  name: 'outboxRowDiscard',
  description:
    'Deletes up to 100 rejected warehouse rows without sending them to the warehouse. Either all of them are deleted or none are. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({ ids: t.globalIDList({ required: true, description: 'The IDs of the rows.' }) }),
  contract: outboxRowsContract,
  codes: ['NOT_FOUND'],
  action: outboxRowDiscard,
  payload: settledRows('The IDs of the deleted rows.'),
});

function settledRows(description: string) {
  return (t: PayloadFields<SettledRows>) => ({
    ids: t.idList({
      description,
      resolve: ({ result }) => result?.ids.map(id => encodeNodeId('OutboxRow', id)),
    }),
  });
}
