import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import {
  allow,
  errors,
  json,
  listAnswer,
  listOf,
  pageQuery,
  type RestApp,
  workspaceHeader,
} from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute, showRoute } from '../platform/rest/routes.ts';
import { templateArchive } from './template.archive.ts';
import { templateCreate } from './template.create.ts';
import { templatesPage, templateVersionsPage } from './template.reads.ts';
import {
  templateCreateBody,
  templateResource,
  templateSummaryResource,
  templateVersionCreateBody,
  templateVersionResource,
} from './template.resource.ts';
import {
  requireTemplate,
  requireVersion,
  summaryAnswer,
  templateShown,
  versionAnswers,
  versionShown,
} from './template-answers.ts';
import { templateVersionActivate } from './version.activate.ts';
import { templateVersionCreate } from './version.create.ts';
import { templateVersionSubmit } from './version.submit.ts';

const UUID = '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10';
const PATH = '/api/v1/templates/{template_id}';
const params = z.object({ template_id: z.uuid().meta({ example: UUID }) });
const versionParams = params.extend({ version_id: z.uuid().meta({ example: UUID }) });

const common = { tag: 'Templates', isInWorkspace: true } as const;
const template = { template: templateResource };
const version = { version: templateVersionResource };

export function templateRoutes(app: RestApp): void {
  listRoute(app, {
    ...common,
    path: '/api/v1/templates',
    operationId: 'listTemplates',
    summary: 'List the templates of the workspace, newest first',
    description:
      'Archived templates are omitted. The templates are returned without their versions.',
    item: templateSummaryResource,
    items: 'A page of templates.',
    page: (context, page) => templatesPage(context, page),
    show: summaryAnswer,
  });
  showRoute(app, {
    ...common,
    path: PATH,
    operationId: 'getTemplate',
    summary: 'Retrieve a template with its Active and approved versions',
    description:
      'Lists the versions both for the whole template and for each channel. Use `/versions` to get drafts and rejected versions.',
    params,
    result: ['The template.', template],
    show: ({ template_id: id }, context) => templateShown({ id }, context),
  });
  versionsRoute(app);
  changeRoute(app, {
    ...common,
    path: '/api/v1/templates',
    operationId: 'createTemplate',
    summary: 'Create a template without versions',
    description: 'Create a version to add content.',
    access: 'member',
    body: templateCreateBody,
    result: ['The new template.', template],
    status: 201,
    operation: 'templateCreate',
    action: templateCreate,
    input: given => given,
    show: templateShown,
  });
  changeRoute(app, {
    ...common,
    method: 'delete',
    path: PATH,
    operationId: 'deleteTemplate',
    summary: 'Archive a template and its versions',
    description:
      'Returns `TEMPLATE_PINNED` (409, with `journeys`) while enrolments in flight are pinned to one of the versions. No data is deleted. Owners only.',
    params,
    result: ['The archived template.', template],
    statuses: [404],
    operation: 'templateArchive',
    action: templateArchive,
    input: ({ template_id: id }) => ({ id }),
    show: templateShown,
  });
  versionChangeRoutes(app);
}

/** The pinned enrolments of all versions of a page are counted in one query. */
function versionsRoute(app: RestApp): void {
  const versions = createRoute({
    method: 'get',
    path: `${PATH}/versions`,
    tags: [common.tag],
    operationId: 'listTemplateVersions',
    summary: 'List all versions of a template with their states, newest first',
    description: 'Includes the versions for all channels and languages.',
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
    const { limit: first, cursor: after } = c.req.valid('query');
    await requireTemplate(context, templateId);
    const page = await templateVersionsPage(context, { first, after }, { templateId });
    const answers = await versionAnswers(context, page.items);
    return c.json(
      listAnswer(page, ({ id }) => answers.get(id)!),
      200,
    );
  });
}

function versionChangeRoutes(app: RestApp): void {
  changeRoute(app, {
    ...common,
    path: `${PATH}/versions`,
    operationId: 'createTemplateVersion',
    summary: 'Create a Draft version',
    description:
      'Omitted fields are copied from the Active version of the channel and language, or from the latest version if none is Active.',
    access: 'member',
    params,
    body: templateVersionCreateBody,
    result: ['The new draft.', version],
    status: 201,
    statuses: [404],
    operation: 'templateVersionCreate',
    action: templateVersionCreate,
    input: ({
      template_id,
      plain_text,
      dlt_entity_id,
      dlt_template_id,
      force_rollout,
      ...same
    }) => ({
      ...same,
      id: template_id,
      plainText: plain_text,
      dltEntityId: dlt_entity_id,
      dltTemplateId: dlt_template_id,
      forceRollout: force_rollout,
    }),
    show: versionShown,
  });
  const ofVersion = {
    ...common,
    params: versionParams,
    statuses: [404],
    show: versionShown,
  } as const;
  changeRoute(app, {
    ...ofVersion,
    path: `${PATH}/versions/{version_id}/submit`,
    operationId: 'submitTemplateVersion',
    summary: 'Submit a Draft to its channel’s approver',
    description:
      'Fails if the channel does not accept the content. The version stays Submitted until the verdict. After its approval, it becomes Active, unless an owner has activated a version older than the last approved one. In that case, the older version stays Active.',
    access: 'member',
    result: ['The submitted version.', version],
    operation: 'templateVersionSubmit',
    action: templateVersionSubmit,
    input: existingVersion,
  });
  changeRoute(app, {
    ...ofVersion,
    path: `${PATH}/versions/{version_id}/activate`,
    operationId: 'activateTemplateVersion',
    summary: 'Make an Approved or Superseded version Active',
    description:
      'New enrolments use the version; enrolments in flight keep their pinned versions. Has no effect if the version is already Active. Owners only.',
    result: ['The Active version.', version],
    operation: 'templateVersionActivate',
    action: templateVersionActivate,
    input: existingVersion,
  });
}

async function existingVersion(
  { template_id: templateId, version_id: id }: z.output<typeof versionParams>,
  context: Context,
) {
  await requireVersion(context, templateId, id);
  return { id };
}
