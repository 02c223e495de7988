import { createRoute, z } from '@hono/zod-openapi';
import { notFound } from '../platform/rejected.ts';
import {
  allow,
  bodyOf,
  errors,
  json,
  type RestApp,
  resultOf,
  workspaceHeader,
} from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute, showRoute } from '../platform/rest/routes.ts';
import { COUNT_POINTS, FIND_POINTS, footprintTables, personFootprint } from './footprint.reads.ts';
import { parseContract } from './parse-contract.ts';
import { personErase } from './person.actions.ts';
import { personLookupContract } from './person.contract.ts';
import {
  confirmedPersonBody,
  footprintResource,
  personErasureResource,
  personLookupBody,
} from './person.resource.ts';
import type { PersonErasure } from './person-erasure.entity.ts';
import { personErasures } from './person-erasure.reads.ts';

const ERASURES = '/api/v1/people/erasures';
const common = { tag: 'Privacy', isInWorkspace: true } as const;

export function personRoutes(app: RestApp): void {
  footprintRoute(app);
  changeRoute(app, {
    ...common,
    path: ERASURES,
    operationId: 'createPersonErasure',
    summary: 'Erase a person’s data',
    description:
      'A background job deletes the rows with the given IDs. An erasure cannot be undone. Send the IDs and the confirmation from the footprint. Owners only.',
    body: confirmedPersonBody,
    result: ['The erasure.', { erasure: personErasureResource }],
    status: 201,
    operation: 'personErase',
    action: personErase,
    input: ({ user_ids: userIds, anonymous_ids: anonymousIds, confirmation }) => ({
      userIds,
      anonymousIds,
      confirmation,
    }),
    show: async ({ id }, context) => {
      const [erasure] = await personErasures.byIds(context, [id]);
      return { erasure: erasureAnswer(erasure!) };
    },
  });
  listRoute(app, {
    ...common,
    path: ERASURES,
    operationId: 'listPersonErasures',
    summary: 'List erasures, newest first',
    description: 'Returns the erasures of the workspace with their receipts.',
    item: personErasureResource,
    items: 'A page of erasures.',
    page: personErasures.page,
    show: erasureAnswer,
  });
  showRoute(app, {
    ...common,
    path: `${ERASURES}/{erasure_id}`,
    operationId: 'getPersonErasure',
    summary: 'Retrieve an erasure with its receipt',
    description:
      'The receipt lists the number of rows in each table and contains none of the person’s IDs. Repeat the request to track the progress of the erasure.',
    params: z.object({
      erasure_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    }),
    result: ['The erasure.', { erasure: personErasureResource }],
    show: async ({ erasure_id: id }, context) => {
      const [erasure] = await personErasures.byIds(context, [id]);
      if (erasure === undefined) return notFound('erasure');
      return { erasure: erasureAnswer(erasure) };
    },
  });
}

/** A POST, so that no ID of a person is part of a URL, which proxies log. */
function footprintRoute(app: RestApp): void {
  const declared = createRoute({
    method: 'post',
    path: '/api/v1/people/footprint',
    tags: [common.tag],
    operationId: 'queryPersonFootprint',
    summary: 'Find a person’s stored data',
    description:
      'Specify exactly one of the IDs. Returns all of the person’s IDs, the number of rows in each table, and the confirmation required for an erasure or an export. Owners only.',
    middleware: allow('owner', FIND_POINTS + COUNT_POINTS),
    request: { headers: workspaceHeader, body: bodyOf(personLookupBody) },
    responses: {
      200: json('The footprint.', resultOf({ footprint: footprintResource })),
      ...errors(400, 409, 422, 503),
    },
  });
  app.openapi(declared, async c => {
    const {
      user_id: userId,
      contact_id: contactId,
      anonymous_id: anonymousId,
    } = c.req.valid('json');
    const lookup = parseContract(personLookupContract, { userId, contactId, anonymousId });
    const footprint = await personFootprint(c.var.context, lookup);
    const shown = {
      user_ids: [...footprint.userIds],
      anonymous_ids: [...footprint.anonymousIds],
      shared_anonymous_ids: [...footprint.sharedAnonymousIds],
      other_contact_ids: [...footprint.otherContactIds],
      confirmation: footprint.confirmation,
      tables: [...(await footprintTables(c.var.context, footprint))],
    };
    return c.json({ status: 'SUCCESS' as const, footprint: shown }, 200);
  });
}

function erasureAnswer(erasure: PersonErasure): z.output<typeof personErasureResource> {
  return {
    id: erasure.id,
    state: erasure.state,
    digest: erasure.digest,
    late_days: erasure.lateDays,
    tables: [...erasure.receipt],
    created_at: erasure.createdAt.toISOString(),
    erased_at: erasure.erasedAt?.toISOString() ?? null,
    next_pass_at: erasure.nextPassAt?.toISOString() ?? null,
    completed_at: erasure.completedAt?.toISOString() ?? null,
  };
}
