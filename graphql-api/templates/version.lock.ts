// The template's row is the lock for its versions. A state change holds it FOR UPDATE; a journey
// that takes a snapshot of Active versions holds it FOR SHARE.

import { lockInWorkspace } from '../platform/change-entity.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Template } from './template.entity.ts';
import { TemplateVersion } from './version.entity.ts';

export type LockedVersion = { readonly template: Template; readonly version: TemplateVersion };

/** Returns the viewer's template, archived or not. */
export function lockTemplate(scope: ActionScope, id: string): Promise<Template> {
  return lockInWorkspace(scope, Template, id, 'template');
}

export function requireLive({ archivedAt }: Template): void {
  if (archivedAt != null) reject('TEMPLATE_ARCHIVED', { field: ['id'] });
}

/** Returns the viewer's version under the lock of its template. */
export async function lockVersion(scope: ActionScope, id: string): Promise<LockedVersion> {
  const locked = await findLocked(scope, id, workspaceOf(scope.viewer));
  return locked ?? notFound('version', 'id');
}

/** Omit the workspace only if the version ID was not chosen by a tenant. */
export async function findLocked(
  { em }: Pick<ActionScope, 'em'>,
  versionId: string,
  workspaceId: string | null = null,
): Promise<LockedVersion | undefined> {
  const isReadable = sql`(${workspaceId}::uuid IS NULL OR workspace_id = ${workspaceId})`;
  const [found] = await rowsOf(
    em,
    sql<{ id: string }>`SELECT id FROM templates WHERE id =
      (SELECT template_id FROM template_versions WHERE id = ${versionId} AND ${isReadable}) FOR UPDATE`,
  );
  if (found === undefined) return undefined;
  // An entity read before the lock was granted may be out of date.
  const fresh = { refresh: true } as const;
  const template = await em.findOneOrFail(Template, { id: found.id }, fresh);
  const version = await em.findOneOrFail(TemplateVersion, { id: versionId }, fresh);
  return { template, version };
}

/** Prevents overwriting or submitting a revision that the caller has not seen. */
export function requireRevision(version: TemplateVersion, expectedRevision: number): void {
  if (version.revision === expectedRevision) return;
  reject('TEMPLATE_CHANGED', {
    field: ['expectedRevision'],
    facts: { revision: version.revision, version_id: version.id },
  });
}
