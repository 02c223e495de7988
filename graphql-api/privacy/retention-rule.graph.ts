import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation } from '../platform/graph/mutation.ts';
import { parseContract } from './parse-contract.ts';
import { retentionRuleRemove, retentionRuleSet } from './retention-rule.actions.ts';
import {
  KEEP_DAYS_MAX,
  retentionRuleRemoveContract,
  retentionRuleSetContract,
} from './retention-rule.contract.ts';
import type { RetentionRule } from './retention-rule.entity.ts';
import {
  PREVIEW_POINTS,
  type RetentionPreview,
  retentionPreview,
  retentionRules,
} from './retention-rule.reads.ts';
import type { Dataset } from './warehouse-tables.ts';

const ruleById = loaderById(retentionRules.byIds);

const DatasetEnum = describedEnum<Dataset>(
  'Dataset',
  'A set of tables in the warehouse with the same kind of rows.',
  {
    EVENTS: 'Events, by `timestamp`.',
    REJECTED_EVENTS: 'Rejected events, by when they were received.',
    IN_APP_EVENTS: 'Reports on in-app campaigns and widgets, by when they were received.',
    IN_APP_RESPONSES: 'Responses to in-app campaigns, by when they were received.',
    DELIVERIES: 'Deliveries, by when the report was received.',
    ACTIVITY_CARDS: 'Cards of timelines, by when they were received.',
    SEND_AUDITS: 'The versions that sends used, by when they were written.',
  },
);

const KEEP_DAYS = 'For how many days rows are kept.';

const RetentionRuleRef: ObjectRef<SchemaTypes, RetentionRule> = memberNode(
  'RetentionRule',
  ruleById,
  {
    description: 'For how many days a workspace keeps its rows of one dataset.',
    fields: t => ({
      ...expose(t, DatasetEnum, { dataset: 'The dataset.' }),
      ...expose(t, 'Int!', { keepDays: KEEP_DAYS }),
      ...expose(t, 'DateTime!', {
        effectiveAt:
          'From then on rows are deleted, once a day. Until then the rule can be removed without effect.',
        createdAt: 'When the first rule of this dataset was set.',
      }),
      ...expose(t, 'String!', {
        createdBy: 'The user who set the rule, as identified by the token’s issuer.',
      }),
      ...expose(t, 'DateTime', { lastRunAt: 'When it last deleted; null before then.' }),
      deletedRows: t.float({
        nullable: false,
        description: 'The number of rows deleted so far.',
        resolve: ({ deletedRows }) => Number(deletedRows),
      }),
    }),
  },
);

const RetentionRuleConnection = connectionType('RetentionRule', RetentionRuleRef);

pageQuery('retentionRules', {
  type: RetentionRuleConnection,
  description: 'The retention rules of the viewer’s workspace. Kinds without a rule are kept.',
  page: retentionRules.page,
});

const PreviewRef = builder.objectRef<RetentionPreview>('RetentionPreview').implement({
  description: 'What a retention rule would delete when it becomes effective.',
  authScopes: { member: true },
  fields: t => ({
    ...expose(t, 'DateTime!', { before: 'Rows from before this time would be deleted.' }),
    ...expose(t, 'Float!', {
      rows: 'The number of stored rows, including copies that are not merged yet.',
    }),
    ...expose(t, 'Int!', { days: 'The number of days with such rows.' }),
    ...expose(t, 'String', {
      firstDay: 'The first of these days, in UTC; null if there is none.',
      lastDay: 'The last of these days, in UTC; null if there is none.',
    }),
  }),
});

builder.queryField('retentionPreview', t =>
  t.field({
    type: PreviewRef,
    description: 'What a retention rule would delete if it were set now.',
    authScopes: { member: true },
    complexity: PREVIEW_POINTS,
    args: {
      dataset: t.arg({ type: DatasetEnum, required: true, description: 'The dataset.' }),
      keepDays: t.arg.int({ required: true, description: KEEP_DAYS }),
    },
    resolve: (_root, args, { context }) =>
      retentionPreview(context, parseContract(retentionRuleSetContract, args)),
  }),
);

mutation({
  name: 'retentionRuleSet',
  description:
    'Sets for how many days rows of a dataset are kept, or changes it. Nothing is deleted for a day: query `retentionPreview` for what would be.',
  access: 'owner',
  input: t => ({
    dataset: t.field({ type: DatasetEnum, required: true, description: 'The dataset.' }),
    keepDays: t.int({ required: true, description: `From 1 to ${KEEP_DAYS_MAX}.` }),
  }),
  contract: retentionRuleSetContract,
  codes: [],
  action: retentionRuleSet,
  payload: t => ({
    rule: changed(t, RetentionRuleRef, ruleById, 'The rule.'),
  }),
});

mutation({
  name: 'retentionRuleRemove',
  description: 'Removes a retention rule, so that everything is kept from now on.',
  access: 'owner',
  target: RetentionRuleRef,
  contract: retentionRuleRemoveContract,
  codes: ['NOT_FOUND'],
  action: retentionRuleRemove,
  payload: t => ({
    isRemoved: t.boolean({
      description: 'Whether the rule was removed.',
      resolve: ({ result }) => result !== undefined,
    }),
  }),
});
