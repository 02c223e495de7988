import { builder } from '../platform/graph/builder.ts';
import {
  BucketSizeEnum,
  bucketArgs,
  ReportRangeInput,
  reportCost,
} from '../platform/graph/report-args.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import {
  type CapsUsage,
  type CapUsage,
  capsUsage,
  type KeyUsage,
} from '../tenancy/cap-usage.reads.ts';
import { SdkKeyRef, sdkKeyById } from '../tenancy/sdk-key.graph.ts';
import { type IngestDelay, ingestDelay, ingestQuarantine } from './ingest-delay.reads.ts';
import {
  type IngestHealth,
  ingestHealth,
  KEPT_BY_DEVICE_DAYS,
  NEWEST_DAYS,
} from './ingest-health.reads.ts';

const CapUsageRef = builder.objectRef<CapUsage>('CapUsage').implement({
  description: 'How much of a cap the window of this moment has used.',
  authScopes: { member: true },
  fields: t => ({
    cap: t.exposeInt('cap', { nullable: false, description: 'What the window may have.' }),
    used: t.exposeFloat('used', {
      nullable: false,
      description: 'What it has, with what ingest took in advance for the next moments.',
    }),
    windowStart: t.expose('windowStart', {
      type: 'DateTime',
      nullable: false,
      description: 'When the window began.',
    }),
  }),
});

const SdkKeyUsageRef = builder.objectRef<KeyUsage>('SdkKeyUsage').implement({
  description: 'How much of its caps a key has used.',
  authScopes: { member: true },
  fields: t => ({
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The key; `lastUsedAt` says when events last came with it.',
      resolve: ({ keyId }, _args, graph) => sdkKeyById(graph, keyId),
    }),
    minute: t.expose('minute', { type: CapUsageRef, description: 'Null where there is no cap.' }),
    hour: t.expose('hour', { type: CapUsageRef, description: 'Null where there is no cap.' }),
  }),
});

const CapsUsageRef = builder.objectRef<CapsUsage>('CapsUsage').implement({
  description: 'How much of all caps on the workspace’s events is used now.',
  authScopes: { member: true },
  fields: t => ({
    organizationMinute: t.expose('organizationMinute', {
      type: CapUsageRef,
      description: 'Of all keys of the organisation together; null where there is no cap.',
    }),
    keys: t.field({
      type: [SdkKeyUsageRef],
      nullable: false,
      description: 'Of each key that works now.',
      resolve: ({ keys }) => keys,
    }),
  }),
});

/** A cell is shared, and what is in quarantine is for whoever runs something to know. */
const OWNER = { $any: { owner: true, platformAdmin: true } };

const IngestDelayRef = builder.objectRef<IngestDelay>('IngestDelay').implement({
  description:
    'How far the reports are behind. An accepted event is on disk, and in the reports a few seconds later; longer when the warehouse of the cell is slow or away. Nothing is lost meanwhile.',
  authScopes: { member: true },
  fields: t => ({
    seconds: t.float({
      description:
        'The age of the oldest accepted event of the cell that is not in the reports yet; 0 where all are, null where that is not known. At least this where `isComplete` is false.',
      resolve: ({ seconds }) => seconds ?? null,
    }),
    isComplete: t.exposeBoolean('isComplete', {
      nullable: false,
      description:
        'False where a node of ingest does not answer, which may hold older events than the others.',
    }),
    completeUntil: t.field({
      type: 'DateTime',
      description:
        'What was accepted before this moment is in the reports; null where that is not known.',
      resolve: ({ completeUntil }) => completeUntil ?? null,
    }),
    nodes: t.exposeInt('nodes', {
      nullable: false,
      description: 'The nodes of ingest that this service knows.',
    }),
    nodesAnswering: t.exposeInt('nodesAnswering', {
      nullable: false,
      description: 'Those of them that answer.',
    }),
  }),
});

const IngestHealthRef = builder.objectRef<IngestHealth>('IngestHealth').implement({
  description: 'How the events of a workspace come in.',
  authScopes: { member: true },
  fields: t => ({
    bucketStarts: t.field({
      type: ['DateTime'],
      nullable: false,
      description:
        'When each bucket begins; the first and the last are counted within the range only.',
      resolve: health => [...health.bucketStarts],
    }),
    accepted: t.intList({
      complexity: QUESTION_POINTS,
      description: `Events taken in each bucket; not those that a device had kept for over ${KEPT_BY_DEVICE_DAYS} days.`,
      resolve: async ({ accepted }) => [...(await accepted())],
    }),
    rejected: t.intList({
      complexity: QUESTION_POINTS,
      description: 'Events refused in each bucket, whatever they were.',
      resolve: async ({ rejected }) => [...(await rejected())],
    }),
    newestReceivedAt: t.field({
      type: 'DateTime',
      description: `When the newest row came, taken or refused; null where none came in ${NEWEST_DAYS} days.`,
      complexity: QUESTION_POINTS,
      resolve: async health => {
        const newestMs = await health.newestReceivedMs();
        return newestMs === undefined ? null : new Date(newestMs);
      },
    }),
    secondsSinceNewest: t.float({
      description: 'How long ago that was.',
      complexity: QUESTION_POINTS,
      resolve: async (health, _args, { context }) => {
        const newestMs = await health.newestReceivedMs();
        return newestMs === undefined
          ? null
          : Math.max(0, context.deps.clock.nowMs() - newestMs) / 1000;
      },
    }),
    delay: t.field({
      type: IngestDelayRef,
      nullable: false,
      description:
        'How far what can be read is behind what was accepted; told also while the warehouse does not answer.',
      resolve: (_health, _args, { context }) => ingestDelay(context),
    }),
    quarantinedFiles: t.int({
      description:
        'Files on ingest’s disks with what could not be delivered from the cell, for owners: `npm run spool` brings back what can be. Null where a node does not answer.',
      authScopes: OWNER,
      resolve: async (_health, _args, { context }) =>
        (await ingestQuarantine(context))?.files ?? null,
    }),
    quarantinedBytes: t.float({
      description: 'How large they are together.',
      authScopes: OWNER,
      resolve: async (_health, _args, { context }) =>
        (await ingestQuarantine(context))?.bytes ?? null,
    }),
    quarantinedOldestAt: t.field({
      type: 'DateTime',
      description: 'Since when the oldest of them is there; null where there is none.',
      authScopes: OWNER,
      resolve: async (_health, _args, { context }) =>
        (await ingestQuarantine(context))?.oldestAt ?? null,
    }),
    caps: t.field({
      type: CapsUsageRef,
      nullable: false,
      description: 'How much of the caps is used now.',
      resolve: (_health, _args, { context }) => capsUsage(context),
    }),
  }),
});

builder.queryField('ingestHealth', t =>
  t.field({
    type: IngestHealthRef,
    description: 'How the events of the viewer’s workspace come in, by when they came.',
    authScopes: { member: true },
    args: {
      ...bucketArgs(t.arg),
      range: t.arg({
        type: ReportRangeInput,
        description: `The time it is about: at most ${SERIES_DAYS_MAX} days; the last hour unless set.`,
      }),
      bucket: t.arg({
        type: BucketSizeEnum,
        required: true,
        defaultValue: 'hour',
        description: 'How long a bucket is.',
      }),
    },
    complexity: reportCost(0),
    resolve: (_root, args, { context }) => ingestHealth(context, args),
  }),
);
