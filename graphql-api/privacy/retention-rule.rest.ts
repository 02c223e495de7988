import { createRoute, z } from '@hono/zod-openapi';
import {
  allow,
  bodyOf,
  errors,
  json,
  type RestApp,
  resultOf,
  workspaceHeader,
} from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute } from '../platform/rest/routes.ts';
import { retentionRuleRemove, retentionRuleSet } from './retention-rule.actions.ts';
import {
  retentionPreviewResource,
  retentionRuleBody,
  retentionRuleResource,
} from './retention-rule.contract.ts';
import type { RetentionRule } from './retention-rule.entity.ts';
import { PREVIEW_POINTS, retentionPreview, retentionRules } from './retention-rule.reads.ts';

const PATH = '/api/v1/retention-rules';
const id = z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' });
const common = { tag: 'Privacy', isInWorkspace: true } as const;

export function retentionRuleRoutes(app: RestApp): void {
  listRoute(app, {
    ...common,
    path: PATH,
    operationId: 'listRetentionRules',
    summary: 'List retention rules, newest first',
    description: 'In datasets without a rule, all rows are kept.',
    item: retentionRuleResource,
    items: 'A page of rules.',
    page: retentionRules.page,
    show: ruleAnswer,
  });
  changeRoute(app, {
    ...common,
    method: 'put',
    path: PATH,
    operationId: 'setRetentionRule',
    summary: 'Set the number of days for which the rows in a dataset are kept',
    description: 'The rule deletes nothing during its first day. Owners only.',
    body: retentionRuleBody,
    result: ['The rule.', { retention_rule: retentionRuleResource }],
    operation: 'retentionRuleSet',
    action: retentionRuleSet,
    input: ({ dataset, keep_days: keepDays }) => ({ dataset, keepDays }),
    show: async ({ id }, context) => {
      const [rule] = await retentionRules.byIds(context, [id]);
      return { retention_rule: ruleAnswer(rule!) };
    },
  });
  changeRoute(app, {
    ...common,
    method: 'delete',
    path: `${PATH}/{retention_rule_id}`,
    operationId: 'removeRetentionRule',
    summary: 'Delete a retention rule',
    description: 'After that, all rows in the dataset are kept. Owners only.',
    params: z.object({ retention_rule_id: id }),
    result: ['The ID of the deleted rule.', { id }],
    statuses: [404],
    operation: 'retentionRuleRemove',
    action: retentionRuleRemove,
    input: ({ retention_rule_id: id }) => ({ id }),
    show: ({ id }) => ({ id }),
  });
  previewRoute(app);
}

function previewRoute(app: RestApp): void {
  const declared = createRoute({
    method: 'post',
    path: `${PATH}/preview`,
    tags: [common.tag],
    operationId: 'previewRetentionRule',
    summary: 'Preview what a retention rule would delete',
    description: 'Counts the rows that the rule would delete when it takes effect.',
    middleware: allow('member', PREVIEW_POINTS),
    request: { headers: workspaceHeader, body: bodyOf(retentionRuleBody) },
    responses: {
      200: json('The preview.', resultOf({ preview: retentionPreviewResource })),
      ...errors(400, 422, 503),
    },
  });
  app.openapi(declared, async c => {
    const { dataset, keep_days: keepDays } = c.req.valid('json');
    const preview = await retentionPreview(c.var.context, { dataset, keepDays });
    const shown = {
      before: preview.before.toISOString(),
      rows: preview.rows,
      days: preview.days,
      first_day: preview.firstDay,
      last_day: preview.lastDay,
    };
    return c.json({ status: 'SUCCESS' as const, preview: shown }, 200);
  });
}

function ruleAnswer(rule: RetentionRule): z.output<typeof retentionRuleResource> {
  return {
    id: rule.id,
    dataset: rule.dataset,
    keep_days: rule.keepDays,
    effective_at: rule.effectiveAt.toISOString(),
    created_at: rule.createdAt.toISOString(),
    last_run_at: rule.lastRunAt?.toISOString() ?? null,
    deleted_rows: Number(rule.deletedRows),
  };
}
