import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, nodeQuery } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { ReportRangeInput } from '../platform/graph/report-args.ts';
import { SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import {
  EXPORT_DAYS_KEPT,
  EXPORTS_MAX,
  eventExportDelete,
  eventExportRequest,
} from './export.actions.ts';
import { eventExportIdContract, eventExportRequestContract } from './export.contract.ts';
import { eventExportsByIds, eventExportsPage, type ShownExport } from './export.reads.ts';

const eventExportById = loaderById(eventExportsByIds);

const EventExportFormatRef = describedEnum('EventExportFormat', 'The format of an export.', {
  PARQUET: 'Apache Parquet, compressed with Zstandard. Each chunk is a separate file.',
  JSON_LINES: 'One JSON object per line.',
});

const EventExportStateRef = describedEnum('EventExportState', 'The state of an export.', {
  WAITING: 'The job has not started, or is waiting for its next attempt.',
  RUNNING:
    'The job is counting the events of each day. Chunks of completed days can be downloaded.',
  COMPLETED: 'All chunks can be downloaded.',
  FAILED: 'The job failed. The chunks created so far can be downloaded.',
});

const EventExportRef: ObjectRef<SchemaTypes, ShownExport> = memberNode(
  'EventExport',
  eventExportById,
  {
    description: `An export of the events in a time range, divided into chunks that are downloaded over REST. Deleted after ${EXPORT_DAYS_KEPT} days.`,
    fields: t => ({
      ...expose(t, EventExportFormatRef, { format: 'The format of the chunks.' }),
      ...expose(t, EventExportStateRef, { state: 'The state of the export.' }),
      ...expose(t, '[String!]!', {
        names:
          'The names of the exported events, pages and screens; empty if all events are exported.',
      }),
      ...expose(t, 'DateTime!', {
        fromAt: 'The start of the range, inclusive.',
        toAt: 'The end of the range, exclusive.',
        receivedBefore:
          'The cutoff time: events received at or after this time are not included in the export.',
        createdAt: 'When the export was requested.',
        expiresAt: 'When the export will be deleted.',
      }),
      ...expose(t, 'DateTime', { finishedAt: 'When the export ended; null if it has not ended.' }),
      ...expose(t, 'Int!', {
        dayCount: 'The number of UTC days in the range.',
        daysDone: 'The number of days whose chunks can be downloaded.',
        chunkCount: 'The number of chunks created so far. Chunks are numbered from 1.',
        eventCount: 'The number of events in the chunks created so far.',
      }),
      ...expose(t, 'String', { fault: 'The error code if the export failed; null otherwise.' }),
      chunksPath: t.string({
        nullable: false,
        description:
          'The REST path of the chunks. To download a chunk, append its number. Owners only.',
        resolve: ({ id }) => `/api/v1/exports/${id}/chunks/`,
      }),
    }),
  },
);

const EventExportConnection = connectionType('EventExport', EventExportRef);

pageQuery('eventExports', {
  type: EventExportConnection,
  description: 'The event exports in the viewer’s workspace, newest first.',
  page: eventExportsPage,
});

nodeQuery('eventExport', EventExportRef, eventExportById, {
  description:
    'An event export in the viewer’s workspace; null if it does not exist or has expired.',
  id: 'The ID of the export.',
});

mutation({
  name: 'eventExportRequest',
  description: `Requests an export of events. A workspace can have at most ${EXPORTS_MAX} exports. Each export is deleted after ${EXPORT_DAYS_KEPT} days.`,
  access: 'owner',
  input: t => ({
    range: t.field({
      type: ReportRangeInput,
      required: true,
      description: `The time range of the events to export, by \`timestamp\`. At most ${SERIES_DAYS_MAX} days.`,
    }),
    names: t.stringList({
      description:
        'The names of the events, pages and screens to export, at most 50. If omitted or empty, all events are exported.',
    }),
    format: t.field({
      type: EventExportFormatRef,
      required: true,
      description: 'The format of the chunks.',
    }),
  }),
  contract: eventExportRequestContract,
  codes: ['INVALID_RANGE', 'TOO_MANY_EXPORTS'],
  action: eventExportRequest,
  payload: changedObject('eventExport', EventExportRef, eventExportById, 'The requested export.'),
});

mutation({
  name: 'eventExportDelete',
  description: 'Deletes an export before it expires. Downloads in progress are not interrupted.',
  access: 'owner',
  target: EventExportRef,
  contract: eventExportIdContract,
  codes: ['NOT_FOUND'],
  action: eventExportDelete,
  payload: t => ({
    deletedId: t.id({
      description: 'The ID of the deleted export.',
      resolve: ({ result }) => result && encodeNodeId('EventExport', result.id),
    }),
  }),
});
