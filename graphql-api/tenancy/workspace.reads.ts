// A viewer sees only the workspace of the request. If the request names none, the viewer sees all
// workspaces of the organization, in order to choose one.

import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { permitted } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { Viewer } from '../platform/viewer.ts';
import { Workspace } from './workspace.entity.ts';

export async function workspacesPage(
  context: Context,
  page: PageRequest,
): Promise<Page<Workspace>> {
  return readPage(await context.read(), Workspace, visible(context.viewer), page);
}

export async function workspacesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Workspace[]> {
  const { organizationId, workspaceId } = permitted(context.viewer, 'member');
  // A viewer with a workspace sees only that workspace.
  const seen = workspaceId === undefined ? ids : ids.filter(id => id === workspaceId);
  return (await context.read()).find(Workspace, { id: [...seen], organizationId });
}

/** Includes workspaces other than that of the request, such as one that the owner has just
 * created. */
export async function ownWorkspacesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Workspace[]> {
  const { organizationId } = permitted(context.viewer, 'owner');
  const em = await context.read();
  return em.find(Workspace, { id: [...ids], organizationId });
}

function visible(viewer: Viewer | undefined): FilterQuery<Workspace> {
  if (viewer === undefined) return reject('UNAUTHENTICATED');
  const { organizationId, workspaceId } = viewer;
  return workspaceId === undefined ? { organizationId } : { organizationId, id: workspaceId };
}
