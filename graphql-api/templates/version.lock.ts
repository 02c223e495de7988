// The template's row is the lock of its versions: whoever changes a state holds it FOR UPDATE, and a
// journey that snapshots Active versions holds it FOR SHARE.

import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Template } from './template.entity.ts';
import { TemplateVersion } from './version.entity.ts';

type LockScope = Pick<ActionScope, 'em'>;

export type LockedVersion = { readonly template: Template; readonly version: TemplateVersion };

/** The viewer's template, whether it is there still or deleted. */
export async function lockTemplate({ em, viewer }: ActionScope, id: string): Promise<Template> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const template = await em.findOne(Template, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return template ?? reject('NOT_FOUND', { field: ['id'], message: 'There is no such template.' });
}

export function requireLive({ archivedAt }: Template): void {
  if (archivedAt != null) reject('TEMPLATE_ARCHIVED', { field: ['id'] });
}

/** The viewer's version under the lock of its template. */
export async function lockVersion(scope: ActionScope, id: string): Promise<LockedVersion> {
  const locked = await findLocked(scope, id, workspaceOf(scope.viewer));
  return locked ?? reject('NOT_FOUND', { field: ['id'], message: 'There is no such version.' });
}

/** Without a workspace only for those who see all: the caller's id chose it. */
export async function findLocked(
  { em }: LockScope,
  versionId: string,
  workspaceId?: string,
): Promise<LockedVersion | undefined> {
  const ofWorkspace = workspaceId === undefined ? '' : ' AND workspace_id = ?';
  const [found] = await em.execute<{ id: string }[]>(
    `SELECT id FROM templates WHERE id =
       (SELECT template_id FROM template_versions WHERE id = ?${ofWorkspace}) FOR UPDATE`,
    workspaceId === undefined ? [versionId] : [versionId, workspaceId],
  );
  if (found === undefined) return undefined;
  // What was read before the lock was granted may be out of date.
  const fresh = { refresh: true } as const;
  const template = await em.findOneOrFail(Template, { id: found.id }, fresh);
  const version = await em.findOneOrFail(TemplateVersion, { id: versionId }, fresh);
  return { template, version };
}

/** Nobody overwrites, or submits, what they have not seen; they are told what is there now. */
export function requireRevision(version: TemplateVersion, expectedRevision: number): void {
  if (version.revision === expectedRevision) return;
  reject('TEMPLATE_CHANGED', {
    field: ['expectedRevision'],
    facts: { revision: version.revision, version_id: version.id },
  });
}
