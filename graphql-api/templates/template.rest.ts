import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer } from '../platform/rest/list-answer.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  errors,
  json,
  listOf,
  pageQuery,
  type RestApp,
  workspaceChangeHeaders,
  workspaceHeader,
} from '../platform/rest/rest-app.ts';
import { runAction } from '../platform/run-action.ts';
import { templateArchive } from './template.archive.ts';
import { templateCreate } from './template.create.ts';
import { templatesPage, templateVersionsPage } from './template.reads.ts';
import {
  templateCreateBody,
  templateSummaryResource,
  templateVersionResource,
} from './template.resource.ts';
import {
  requireTemplate,
  summaryAnswer,
  templateResult,
  templateShown,
  versionAnswers,
} from './template-answers.ts';
import { templateVersionRoutes } from './version.rest.ts';

const TAGS = ['Templates'];
const PATH = '/api/v1/templates/{template_id}';
const params = z.object({
  template_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});

export function templateRoutes(app: RestApp): void {
  const list = createRoute({
    method: 'get',
    path: '/api/v1/templates',
    tags: TAGS,
    operationId: 'listTemplates',
    summary: 'List the templates of the workspace, newest first',
    description: 'Excludes versions and archived templates.',
    middleware: allow('member'),
    request: { headers: workspaceHeader, query: pageQuery },
    responses: {
      200: json('A page of templates.', listOf(templateSummaryResource)),
      ...errors(400),
    },
  });
  app.openapi(list, async c => {
    const { limit, cursor } = c.req.valid('query');
    const page = await templatesPage(c.var.context, { first: limit, after: cursor });
    return c.json(listAnswer(page, summaryAnswer), 200);
  });

  const one = createRoute({
    method: 'get',
    path: PATH,
    tags: TAGS,
    operationId: 'getTemplate',
    summary: 'Get a template with its Active and approved versions',
    description:
      'Versions are listed in total and by channel. Use `/versions` for drafts and rejected versions.',
    middleware: allow('member'),
    request: { params, headers: workspaceHeader },
    responses: { 200: json('The template.', templateResult), ...errors(400, 404) },
  });
  app.openapi(one, async c => {
    const { template_id: id } = c.req.valid('param');
    return c.json(await templateShown(c.var.context, id), 200);
  });

  const versions = createRoute({
    method: 'get',
    path: `${PATH}/versions`,
    tags: TAGS,
    operationId: 'listTemplateVersions',
    summary: 'List every version of a template with its state, newest first',
    description: 'Includes all channels and languages.',
    middleware: allow('member'),
    request: { params, headers: workspaceHeader, query: pageQuery },
    responses: {
      200: json('A page of versions.', listOf(templateVersionResource)),
      ...errors(400, 404),
    },
  });
  app.openapi(versions, async c => {
    const { context } = c.var;
    const { template_id: templateId } = c.req.valid('param');
    const { limit, cursor } = c.req.valid('query');
    await requireTemplate(context, templateId);
    const page = await templateVersionsPage(
      context,
      { first: limit, after: cursor },
      { templateId },
    );
    const answers = await versionAnswers(context, page.items);
    return c.json(
      listAnswer(page, ({ id }) => answers.get(id)!),
      200,
    );
  });
  changeRoutes(app);
  templateVersionRoutes(app);
}

function changeRoutes(app: RestApp): void {
  const create = createRoute({
    method: 'post',
    path: '/api/v1/templates',
    tags: TAGS,
    operationId: 'createTemplate',
    summary: 'Create a template without versions',
    description: 'Create a version to add content.',
    middleware: allow('member', 10),
    request: { headers: workspaceChangeHeaders, body: bodyOf(templateCreateBody) },
    responses: { 201: json('The new template.', templateResult), ...changeErrors() },
  });
  app.openapi(create, async c => {
    const { context } = c.var;
    const idempotencyKey = c.req.header('idempotency-key');
    const options = { operation: 'templateCreate', idempotencyKey };
    const { id } = await runAction(context, templateCreate, c.req.valid('json'), options);
    return c.json(await templateShown(context, id), 201);
  });

  const remove = createRoute({
    method: 'delete',
    path: PATH,
    tags: TAGS,
    operationId: 'deleteTemplate',
    summary: 'Archive a template and its versions',
    description:
      'Returns `TEMPLATE_PINNED` (409, with `journeys`) while enrolments in flight are pinned to it. Nothing is erased. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders },
    responses: { 200: json('The archived template.', templateResult), ...changeErrors(404) },
  });
  app.openapi(remove, async c => {
    const { context } = c.var;
    const idempotencyKey = c.req.header('idempotency-key');
    const options = { operation: 'templateArchive', idempotencyKey };
    const { template_id: id } = c.req.valid('param');
    await runAction(context, templateArchive, { id }, options);
    return c.json(await templateShown(context, id), 200);
  });
}
