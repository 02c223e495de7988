import { builder } from '../platform/graph/builder.ts';
import { expose, linked, memberObject } from '../platform/graph/fields.ts';
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
import { APART_DAYS_MAX } from './arrival.ts';
import { type IngestDelay, ingestDelay, ingestQuarantine } from './ingest-delay.reads.ts';
import { type IngestHealth, ingestHealth, NEWEST_DAYS } from './ingest-health.reads.ts';

const CapUsageRef = memberObject<CapUsage>('CapUsage', {
  description: 'The usage of a cap in the current window.',
  fields: t => ({
    ...expose(t, 'Int!', { cap: 'The maximum number of events per window.' }),
    ...expose(t, 'Float!', {
      used: 'The number of events counted toward the cap, including the allowance that ingest nodes have reserved in advance.',
    }),
    ...expose(t, 'DateTime!', { windowStart: 'The start of the window.' }),
  }),
});

const SdkKeyUsageRef = memberObject<KeyUsage>('SdkKeyUsage', {
  description: 'How much of its per-minute and per-hour caps an SDK key has used.',
  fields: t => ({
    sdkKey: linked(t, 'keyId', SdkKeyRef, sdkKeyById, 'The SDK key.'),
    minute: t.expose('minute', {
      type: CapUsageRef,
      description:
        'How much of the per-minute cap has been used; null if the SDK key has no per-minute cap.',
    }),
    hour: t.expose('hour', {
      type: CapUsageRef,
      description:
        'How much of the hourly cap has been used; null if the SDK key has no hourly cap.',
    }),
  }),
});

const CapsUsageRef = memberObject<CapsUsage>('CapsUsage', {
  description: 'The current usage of all caps that apply to the workspace’s events.',
  fields: t => ({
    organizationMinute: t.expose('organizationMinute', {
      type: CapUsageRef,
      description:
        'The usage of the organization’s ingress limit, across all of its SDK keys; null if there is no limit.',
    }),
    ...expose(t, [SdkKeyUsageRef], { keys: 'The cap usage of each active SDK key.' }),
  }),
});

/** A cell is shared by tenants, so its quarantine is visible only to owners and platform admins. */
const OWNER = { $any: { owner: true, platformAdmin: true } };

const IngestDelayRef = memberObject<IngestDelay>('IngestDelay', {
  description:
    'The delay until accepted events appear in reports. Accepted events are on disk and normally appear in reports within a few seconds. If the cell’s warehouse is slow or unavailable, they appear later; none are lost.',
  fields: t => ({
    ...expose(t, 'Float', {
      seconds:
        'The age in seconds of the cell’s oldest accepted event that is not yet in the reports; 0 if there is none, null if unknown. If `isComplete` is false, this is a lower bound.',
    }),
    ...expose(t, 'Boolean!', {
      isComplete:
        'Whether every ingest node responded and reported its delay. If false, a node may hold older events than `seconds` indicates.',
    }),
    ...expose(t, 'DateTime', {
      completeUntil:
        'The time up to which reports are complete: all events accepted before it are in the reports. Null if unknown.',
    }),
    ...expose(t, 'Int!', {
      nodes: 'The number of configured ingest nodes.',
      nodesAnswering: 'The number of ingest nodes that responded.',
    }),
  }),
});

const IngestHealthRef = memberObject<IngestHealth>('IngestHealth', {
  description: 'The ingestion health of a workspace.',
  fields: t => ({
    ...expose(t, '[DateTime!]!', {
      bucketStarts:
        'The start of each bucket. The first and last buckets count only events within the range.',
    }),
    accepted: t.intList({
      complexity: QUESTION_POINTS,
      description: `The number of accepted events in each bucket; null if the warehouse is unavailable. Events whose \`timestamp\` is more than ${APART_DAYS_MAX} days before or after the time of receipt are not counted.`,
      resolve: async ({ accepted }) => [...(await accepted())],
    }),
    rejected: t.intList({
      complexity: QUESTION_POINTS,
      description:
        'The number of rejected events in each bucket; null if the warehouse is unavailable.',
      resolve: async ({ rejected }) => [...(await rejected())],
    }),
    newestReceivedAt: t.field({
      type: 'DateTime',
      description: `When the newest event, accepted or rejected, was received; null if none was received in the last ${NEWEST_DAYS} days.`,
      complexity: QUESTION_POINTS,
      resolve: health => health.newestReceivedAt(),
    }),
    secondsSinceNewest: t.float({
      description:
        'The number of seconds since `newestReceivedAt`; null if `newestReceivedAt` is null.',
      complexity: QUESTION_POINTS,
      resolve: async (health, _args, { context }) => {
        const newest = await health.newestReceivedAt();
        return newest && Math.max(0, context.deps.clock.nowMs() - newest.getTime()) / 1000;
      },
    }),
    delay: t.field({
      type: IngestDelayRef,
      nullable: false,
      description:
        'The delay until accepted events appear in reports. Available even while the warehouse is unavailable.',
      resolve: (_health, _args, { context }) => ingestDelay(context),
    }),
    quarantinedFiles: t.int({
      description:
        'The number of quarantined files on the ingest nodes’ disks. The files hold the cell’s undeliverable data; `npm run spool` restores undamaged data. Null if a node is not responding. Owners only.',
      authScopes: OWNER,
      resolve: async (_health, _args, { context }) => (await ingestQuarantine(context))?.files,
    }),
    quarantinedBytes: t.float({
      description:
        'The total size of the quarantined files, in bytes; null if a node is not responding. Owners only.',
      authScopes: OWNER,
      resolve: async (_health, _args, { context }) => (await ingestQuarantine(context))?.bytes,
    }),
    quarantinedOldestAt: t.field({
      type: 'DateTime',
      description:
        'When the oldest quarantined file was created; null if there is none or a node is not responding. Owners only.',
      authScopes: OWNER,
      resolve: async (_health, _args, { context }) => (await ingestQuarantine(context))?.oldestAt,
    }),
    caps: t.field({
      type: CapsUsageRef,
      nullable: false,
      description: 'The current usage of the caps that apply to the workspace’s events.',
      resolve: (_health, _args, { context }) => capsUsage(context),
    }),
  }),
});

builder.queryField('ingestHealth', t =>
  t.field({
    type: IngestHealthRef,
    description:
      'The ingestion health of the viewer’s workspace. An event’s time of receipt determines its bucket.',
    authScopes: { member: true },
    args: {
      ...bucketArgs(t.arg),
      range: t.arg({
        type: ReportRangeInput,
        description: `The time range of the report, at most ${SERIES_DAYS_MAX} days. Defaults to the last hour.`,
      }),
      bucket: t.arg({
        type: BucketSizeEnum,
        required: true,
        defaultValue: 'hour',
        description: 'The length of a bucket.',
      }),
    },
    complexity: reportCost(0),
    resolve: (_root, args, { context }) => ingestHealth(context, args),
  }),
);
