import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
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
  'A set of warehouse tables that contain the same kind of data.',
  {
    EVENTS: 'Events. Their age is measured from `timestamp`.',
    REJECTED_EVENTS: 'Rejected events. Their age is measured from the time of receipt.',
    IN_APP_EVENTS:
      'Interactions with in-app campaigns and widgets. Their age is measured from the time of receipt.',
    IN_APP_RESPONSES:
      'Responses to in-app campaigns. Their age is measured from the time of receipt.',
    DELIVERIES: 'Deliveries. The age of each delivery report is measured from the time of receipt.',
    ACTIVITY_CARDS: 'Activity cards. Their age is measured from the time of receipt.',
    SEND_AUDITS:
      'Records of the template version that each send used. Their age is measured from the time they were written.',
  },
);

const KEEP_DAYS = 'The number of days for which rows are kept.';

const RetentionRuleRef: ObjectRef<SchemaTypes, RetentionRule> = memberNode(
  'RetentionRule',
  ruleById,
  {
    description: 'The number of days for which a workspace keeps its rows in one dataset.',
    fields: t => ({
      ...expose(t, DatasetEnum, { dataset: 'The dataset.' }),
      ...expose(t, 'Int!', { keepDays: KEEP_DAYS }),
      ...expose(t, 'DateTime!', {
        effectiveAt:
          'When the rule starts to delete rows. From then on, it deletes rows once a day. If the rule is removed before this time, no rows are deleted.',
        createdAt: 'When the rule was first set. Changing `keepDays` does not change this time.',
      }),
      ...expose(t, 'String!', {
        createdBy: 'The ID of the user who set the rule, as assigned by the token’s issuer.',
      }),
      ...expose(t, 'DateTime', {
        lastRunAt: 'When the rule was last applied; null if never.',
      }),
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
  description:
    'The retention rules in the viewer’s workspace. Rows of datasets without a rule are kept.',
  page: retentionRules.page,
});

const PreviewRef = memberObject<RetentionPreview>('RetentionPreview', {
  description: 'The rows that a retention rule would delete when it takes effect.',
  fields: t => ({
    ...expose(t, 'DateTime!', { before: 'Rows from before this time would be deleted.' }),
    ...expose(t, 'Float!', {
      rows: 'The number of rows that would be deleted, including duplicates that ClickHouse has not merged yet.',
    }),
    ...expose(t, 'Int!', { days: 'The number of days with rows that would be deleted.' }),
    ...expose(t, 'String', {
      firstDay: 'The first day with rows that would be deleted, in UTC; null if there is none.',
      lastDay: 'The last day with rows that would be deleted, in UTC; null if there is none.',
    }),
  }),
});

builder.queryField('retentionPreview', t =>
  t.field({
    type: PreviewRef,
    description: 'The rows that a retention rule would delete if it were set now.',
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
    'Sets or changes the number of days for which rows of a dataset are kept. The rule deletes nothing during its first day; query `retentionPreview` to find out how many rows it would delete.',
  access: 'owner',
  input: t => ({
    dataset: t.field({ type: DatasetEnum, required: true, description: 'The dataset.' }),
    keepDays: t.int({
      required: true,
      description: `The number of days for which rows are kept, from 1 to ${KEEP_DAYS_MAX}.`,
    }),
  }),
  contract: retentionRuleSetContract,
  codes: [],
  action: retentionRuleSet,
  payload: changedObject('rule', RetentionRuleRef, ruleById, 'The rule.'),
});

mutation({
  name: 'retentionRuleRemove',
  description: 'Removes a retention rule. From then on, all rows of the dataset are kept.',
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
