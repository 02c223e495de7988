import { QUESTION_POINTS } from '../../../reports/ask.ts';
import {
  type CapsUsage,
  type CapUsage,
  capsUsage,
  type KeyUsage,
} from '../../../reports/cap-usage.ts';
import {
  type IngestHealth,
  ingestHealth,
  KEPT_BY_DEVICE_DAYS,
  NEWEST_DAYS,
} from '../../../reports/ingest-health.ts';
import { SERIES_DAYS_MAX } from '../../../reports/report-range.ts';
import { builder } from '../../builder.ts';
import { SdkKeyRef, sdkKeyById } from '../sdk-keys.ts';
import { bucketArgs, rangeArg, reportCost } from './report-args.ts';

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
      nullable: false,
      description: `Events taken in each bucket; not those that a device had kept for over ${KEPT_BY_DEVICE_DAYS} days.`,
      resolve: ({ accepted }) => [...accepted],
    }),
    rejected: t.intList({
      nullable: false,
      description: 'Events refused in each bucket, whatever they were.',
      resolve: ({ rejected }) => [...rejected],
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
    args: { range: rangeArg(t.arg, SERIES_DAYS_MAX), ...bucketArgs(t.arg) },
    complexity: reportCost(2),
    resolve: (_root, args, { context }) => ingestHealth(context, args),
  }),
);
