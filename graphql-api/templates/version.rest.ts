import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  json,
  type RestApp,
  workspaceChangeHeaders,
} from '../platform/rest/rest-app.ts';
import { type Action, runAction } from '../platform/run-action.ts';
import { templateVersionCreateBody } from './template.resource.ts';
import { requireVersion, versionResult, versionShown } from './template-answers.ts';
import { templateVersionActivate } from './version.activate.ts';
import { templateVersionCreate } from './version.create.ts';
import { templateVersionSubmit } from './version.submit.ts';

const TAGS = ['Templates'];
const VERSIONS = '/api/v1/templates/{template_id}/versions';
const UUID = '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10';
const templateParams = z.object({ template_id: z.uuid().meta({ example: UUID }) });
const params = templateParams.extend({ version_id: z.uuid().meta({ example: UUID }) });

export function templateVersionRoutes(app: RestApp): void {
  const create = createRoute({
    method: 'post',
    path: VERSIONS,
    tags: TAGS,
    operationId: 'createTemplateVersion',
    summary: 'Create a Draft version',
    description: 'Omitted fields are copied from the Active version, or else the latest.',
    middleware: allow('member', 10),
    request: {
      params: templateParams,
      headers: workspaceChangeHeaders,
      body: bodyOf(templateVersionCreateBody),
    },
    responses: { 201: json('The new draft.', versionResult), ...changeErrors(404) },
  });
  app.openapi(create, async c => {
    const { context } = c.var;
    const { plain_text, dlt_entity_id, dlt_template_id, force_rollout, ...same } =
      c.req.valid('json');
    const idempotencyKey = c.req.header('idempotency-key');
    const options = { operation: 'templateVersionCreate', idempotencyKey };
    const input = {
      ...same,
      id: c.req.valid('param').template_id,
      plainText: plain_text,
      dltEntityId: dlt_entity_id,
      dltTemplateId: dlt_template_id,
      forceRollout: force_rollout,
    };
    const { id } = await runAction(context, templateVersionCreate, input, options);
    return c.json(await versionShown(context, id), 201);
  });

  const submit = createRoute({
    method: 'post',
    path: `${VERSIONS}/{version_id}/submit`,
    tags: TAGS,
    operationId: 'submitTemplateVersion',
    summary: 'Submit a Draft to its channel’s approver',
    description:
      'Fails if the channel does not accept the content. The version stays Submitted until the verdict. Once approved, it becomes Active unless another version is pinned as Active.',
    middleware: allow('member', 10),
    request: { params, headers: workspaceChangeHeaders },
    responses: {
      200: json('The submitted version.', versionResult),
      ...changeErrors(404),
    },
  });
  app.openapi(submit, async c => {
    const key = c.req.header('idempotency-key');
    const of = c.req.valid('param');
    return c.json(await change(c.var.context, of, templateVersionSubmit, 'submit', key), 200);
  });

  const activate = createRoute({
    method: 'post',
    path: `${VERSIONS}/{version_id}/activate`,
    tags: TAGS,
    operationId: 'activateTemplateVersion',
    summary: 'Make an Approved or Superseded version Active',
    description:
      'Applies to new enrolments; enrolments in flight keep their pinned version. No effect if the version is already Active. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders },
    responses: { 200: json('The Active version.', versionResult), ...changeErrors(404) },
  });
  app.openapi(activate, async c => {
    const key = c.req.header('idempotency-key');
    const of = c.req.valid('param');
    return c.json(await change(c.var.context, of, templateVersionActivate, 'activate', key), 200);
  });
}

async function change(
  context: Context,
  { template_id: templateId, version_id: id }: z.output<typeof params>,
  action: Action<{ id: string }, unknown>,
  verb: 'submit' | 'activate',
  idempotencyKey: string | undefined,
): Promise<z.output<typeof versionResult>> {
  await requireVersion(context, templateId, id);
  const operation = verb === 'submit' ? 'templateVersionSubmit' : 'templateVersionActivate';
  await runAction(context, action, { id }, { operation, idempotencyKey });
  return versionShown(context, id);
}
