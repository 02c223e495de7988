import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, type InputFields, mutation } from '../platform/graph/mutation.ts';
import type { TableReceipt } from './erase-rows.ts';
import { personErase } from './person.actions.ts';
import { confirmedPersonContract } from './person.contract.ts';
import type { ErasureState, PersonErasure } from './person-erasure.entity.ts';
import { personErasures, personErasuresPage } from './person-erasure.reads.ts';

const erasureById = loaderById(personErasures.byIds);

/** The number of tables with people’s data, for the cost of a list of them. */
const TABLES = 35;

const EngineEnum = describedEnum<TableReceipt['engine']>(
  'PersonDataEngine',
  'The system that stores a person’s rows.',
  {
    POSTGRES: 'Postgres, which holds contacts, devices and journeys.',
    WAREHOUSE: 'ClickHouse, which holds events, deliveries and in-app interactions.',
    INGEST: 'The disks of ingest nodes, which hold recently accepted data.',
  },
);

const OutcomeEnum = describedEnum<TableReceipt['outcome']>(
  'PersonDataOutcome',
  'The effect of an erasure on a person’s rows in a table.',
  {
    DELETED: 'The rows are deleted.',
    REDACTED: 'The rows are kept, without the values that identify the person.',
    KEPT: 'The rows are kept; `reason` says why.',
  },
);

export const TableReceiptRef = memberObject<TableReceipt>('PersonDataTable', {
  description: 'A person’s rows in one table.',
  fields: t => ({
    ...expose(t, EngineEnum, { engine: 'Where the rows are stored.' }),
    ...expose(t, 'String!', {
      table: 'The name of the table; for ingest, `spool` or `quarantine`.',
    }),
    ...expose(t, OutcomeEnum, { outcome: 'The effect of an erasure on the rows.' }),
    ...expose(t, 'Int', {
      before:
        'The number of rows before the erasure; null if the rows are not counted. Copies of a row are counted once, as in reports.',
      left: 'The number of rows left after the most recent pass; null before the first pass ends, or if the rows are not counted.',
    }),
    ...expose(t, 'Int!', {
      later: 'The number of rows that arrived after the first pass and were deleted.',
    }),
    ...expose(t, 'String', { reason: 'Why rows are kept; null if they are deleted.' }),
  }),
});

const StateEnum = describedEnum<ErasureState>('PersonErasureState', 'The state of an erasure.', {
  QUEUED:
    'The erasure was requested. The first pass starts within about a second, or once the first passes of earlier erasures have ended.',
  RUNNING: 'The first pass is deleting rows.',
  SETTLING:
    'The first pass has deleted the rows. Another pass runs once ingest nodes can no longer insert rows that they received before the first pass.',
  WATCHING: 'The stored rows have been deleted. Late data is deleted once a day.',
  COMPLETED:
    'The final pass is done. The erasure record no longer contains hashes of the person’s individual IDs, only `digest`.',
});

const PersonErasureRef: ObjectRef<SchemaTypes, PersonErasure> = memberNode(
  'PersonErasure',
  erasureById,
  {
    description:
      'The erasure of a person’s data, with its receipt. The receipt contains none of the person’s IDs. To find out whose data was erased, compare `digest` with the `confirmation` of a footprint.',
    fields: t => ({
      ...expose(t, StateEnum, { state: 'The state of the erasure.' }),
      ...expose(t, 'String!', {
        actorId: 'The ID of the user who requested the erasure, as assigned by the token’s issuer.',
        digest: 'A hash of all of the person’s IDs, equal to the confirmation in the request.',
      }),
      ...expose(t, 'Int!', {
        lateDays: 'The number of days after the erasure during which late data is also deleted.',
      }),
      tables: t.field({
        type: [TableReceiptRef],
        nullable: false,
        description: 'The person’s rows in each table. Empty before the first pass.',
        complexity: { field: 1, multiplier: TABLES },
        resolve: ({ receipt }) => [...receipt],
      }),
      ...expose(t, 'DateTime!', { createdAt: 'When the erasure was requested.' }),
      ...expose(t, 'DateTime', {
        startedAt: 'When the first pass started; null before then.',
        erasedAt: 'When the first pass ended; null before then.',
        nextPassAt: 'When the next pass is due; null once the erasure is completed.',
        completedAt: 'When the final pass ended; null before then.',
      }),
    }),
  },
);

const PersonErasureConnection = connectionType('PersonErasure', PersonErasureRef);

pageQuery('personErasures', {
  type: PersonErasureConnection,
  description:
    'The erasures of people’s data in the viewer’s workspace. Query `node` to follow the progress of an erasure.',
  args: arg => ({
    userId: arg.string({
      description:
        'Filters by one of the erased person’s user IDs. Completed erasures are omitted, because they no longer contain hashes of IDs.',
    }),
  }),
  page: personErasuresPage,
});

export const confirmedPersonInput = (t: InputFields) => ({
  userIds: t.stringList({ required: true, description: 'The `userIds` of the footprint.' }),
  anonymousIds: t.stringList({
    required: true,
    description: 'The `anonymousIds` of the footprint.',
  }),
  confirmation: t.string({
    required: true,
    description: 'The `confirmation` that the footprint returned for exactly these IDs.',
  }),
});

mutation({
  name: 'personErase',
  description:
    'Erases a person’s data: a background job deletes the rows with the given IDs from all tables and verifies the deletion by counting the rows again. An erasure cannot be undone. Query `personFootprint` first to get the IDs and the confirmation.',
  access: 'owner',
  input: confirmedPersonInput,
  contract: confirmedPersonContract,
  codes: ['CONFIRMATION_MISMATCH', 'TOO_MANY_ERASURES'],
  action: personErase,
  payload: changedObject('erasure', PersonErasureRef, erasureById, 'The requested erasure.'),
});
