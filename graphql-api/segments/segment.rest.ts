import { z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/rejected.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute, reportRoute, showRoute } from '../platform/rest/routes.ts';
import { segmentArchive, segmentCreate, segmentUpdate } from './segment.actions.ts';
import {
  type SegmentResource,
  segmentCreateBody,
  segmentMemberResource,
  segmentPreviewBody,
  segmentPreviewResource,
  segmentResource,
  segmentUpdateBody,
} from './segment.contract.ts';
import type { Segment } from './segment.entity.ts';
import { segmentMembers, segmentPreview, segments } from './segment.reads.ts';

const PATH = '/api/v1/segments/{segment_id}';
const params = z.object({
  segment_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});

const common = { tag: 'Segments', isInWorkspace: true } as const;
const shown = { segment: segmentResource };

export function segmentRoutes(app: RestApp): void {
  listRoute(app, {
    ...common,
    path: '/api/v1/segments',
    operationId: 'listSegments',
    summary: 'List the segments of the workspace, newest first',
    description: 'Includes archived segments.',
    item: segmentResource,
    items: 'A page of segments.',
    page: segments.page,
    show: segmentAnswer,
  });
  showRoute(app, {
    ...common,
    path: PATH,
    operationId: 'getSegment',
    summary: 'Retrieve a segment',
    description: 'Returns the segment’s rule and the result of its last evaluation.',
    params,
    result: ['The segment.', shown],
    show: ({ segment_id: id }, context) => segmentShown({ id }, context),
  });
  reportRoute(app, {
    ...common,
    path: '/api/v1/segments/preview',
    operationId: 'previewSegment',
    summary: 'Count the people who match a rule now',
    description:
      'Returns the same data as the `segmentPreview` GraphQL query. Does not create a segment.',
    body: segmentPreviewBody,
    result: ['The number of people.', { preview: segmentPreviewResource }],
    show: async ({ rule }, context) => {
      const { userIds, sql } = await segmentPreview(context, rule);
      return { preview: { people: userIds.length, sql } };
    },
    csv: ({ preview }) => ({ columns: ['people'], rows: [[preview.people]] }),
  });
  listRoute(app, {
    ...common,
    path: `${PATH}/members`,
    operationId: 'listSegmentMembers',
    summary: 'List the members of a segment, most recently added first',
    description: 'Returns the people who were members at the segment’s last evaluation.',
    params,
    item: segmentMemberResource,
    items: 'A page of members.',
    page: (context, page, { segment_id: id }) => segmentMembers(context, page, id),
    show: ({ userId, createdAt }) => ({ user_id: userId, entered_at: createdAt.toISOString() }),
  });
  changeRoutes(app);
}

function changeRoutes(app: RestApp): void {
  changeRoute(app, {
    ...common,
    access: 'member',
    path: '/api/v1/segments',
    operationId: 'createSegment',
    summary: 'Create a segment',
    description: 'The segment is evaluated within seconds.',
    body: segmentCreateBody,
    result: ['The new segment.', shown],
    operation: 'segmentCreate',
    action: segmentCreate,
    input: body => body,
    show: segmentShown,
  });
  changeRoute(app, {
    ...common,
    method: 'patch',
    path: PATH,
    operationId: 'updateSegment',
    summary: 'Update a segment',
    description:
      'Omitted fields are unchanged. Returns 409 if `version` is not the segment’s current version. After a change to the rule, the members are updated within seconds; people added by the change do not enter journeys. Owners only.',
    params,
    body: segmentUpdateBody,
    result: ['The updated segment.', shown],
    statuses: [404],
    operation: 'segmentUpdate',
    action: segmentUpdate,
    input: ({ segment_id: id, ...changes }) => ({ id, ...changes }),
    show: segmentShown,
  });
  changeRoute(app, {
    ...common,
    path: `${PATH}/archive`,
    operationId: 'archiveSegment',
    summary: 'Archive a segment permanently',
    description:
      'Removes the segment’s members. Returns 409 while a live campaign or an active journey uses the segment. Idempotent. Owners only.',
    params,
    result: ['The archived segment.', shown],
    statuses: [404],
    operation: 'segmentArchive',
    action: segmentArchive,
    input: ({ segment_id: id }) => ({ id }),
    show: segmentShown,
  });
}

async function segmentShown({ id }: { readonly id: string }, context: Context) {
  const [segment] = await segments.byIds(context, [id]);
  if (segment === undefined) return notFound('segment');
  return { segment: segmentAnswer(segment) };
}

function segmentAnswer(segment: Segment): SegmentResource {
  return {
    id: segment.id,
    name: segment.name,
    rule: segment.rule,
    member_count: segment.memberCount,
    evaluated_at: segment.evaluatedAt?.toISOString() ?? null,
    fault: segment.fault ?? null,
    version: segment.version,
    created_at: segment.createdAt.toISOString(),
    updated_at: segment.updatedAt.toISOString(),
    archived_at: segment.archivedAt?.toISOString() ?? null,
  };
}
