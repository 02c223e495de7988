import { createRoute } from '@hono/zod-openapi';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import {
  allow,
  errors,
  json,
  type RestApp,
  resultOf,
  workspaceHeader,
} from '../platform/rest/rest-app.ts';
import { type WorkspaceResource, workspaceResource } from './workspace.contract.ts';
import type { Workspace } from './workspace.entity.ts';
import { workspacesByIds } from './workspace.reads.ts';

export function workspaceRoutes(app: RestApp): void {
  const current = createRoute({
    method: 'get',
    path: '/api/v1/workspaces/current',
    tags: ['Workspaces'],
    operationId: 'getCurrentWorkspace',
    summary: 'Retrieve the workspace of the request',
    description:
      'The workspace of the token, or the one in `X-Workspace-ID`, or the organization’s only workspace.',
    middleware: allow('member'),
    request: { headers: workspaceHeader },
    responses: {
      200: json('The workspace.', resultOf({ workspace: workspaceResource })),
      ...errors(400),
    },
  });
  app.openapi(current, async c => {
    const { context } = c.var;
    const [workspace] = await workspacesByIds(context, [workspaceOf(context.viewer)]);
    if (workspace === undefined) return reject('WORKSPACE_FORBIDDEN');
    return c.json({ status: 'SUCCESS' as const, workspace: workspaceAnswer(workspace) }, 200);
  });
}

function workspaceAnswer(workspace: Workspace): WorkspaceResource {
  return {
    id: workspace.id,
    organization_id: workspace.organizationId,
    name: workspace.name,
    in_app_daily_max: workspace.inAppDailyMax ?? null,
    in_app_interval_seconds_min: workspace.inAppIntervalSecondsMin ?? null,
    created_at: workspace.createdAt.toISOString(),
  };
}
