import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { showRoute } from '../platform/rest/routes.ts';
import { type WorkspaceResource, workspaceResource } from './workspace.contract.ts';
import type { Workspace } from './workspace.entity.ts';
import { workspacesByIds } from './workspace.reads.ts';

export function workspaceRoutes(app: RestApp): void {
  showRoute(app, {
    path: '/api/v1/workspaces/current',
    tag: 'Workspaces',
    operationId: 'getCurrentWorkspace',
    summary: 'Retrieve the current workspace',
    description:
      'Returns the workspace specified by the token or `X-Workspace-ID`, or the organization’s only workspace if neither specifies one.',
    isInWorkspace: true,
    result: ['The workspace.', { workspace: workspaceResource }],
    show: async (_, context) => {
      const [workspace] = await workspacesByIds(context, [workspaceOf(context.viewer)]);
      if (workspace === undefined) return reject('WORKSPACE_FORBIDDEN');
      return { workspace: workspaceAnswer(workspace) };
    },
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
