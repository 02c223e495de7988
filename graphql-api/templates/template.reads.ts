import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { escapeLike } from '../platform/database/escape-like.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { TemplateSubmission } from './approval/submission.entity.ts';
import { Template } from './template.entity.ts';
import { TemplateTransition } from './transition.entity.ts';
import { SENDABLE_STATES } from './transitions.ts';
import { TemplateVersion } from './version.entity.ts';

type TemplateFilter = {
  readonly search?: string | null | undefined;
  /** Defaults to templates that are not archived. */
  readonly isArchived?: boolean | null | undefined;
};

const templates = workspaceReads(Template);
const versions = workspaceReads(TemplateVersion);

export const templatesByIds = templates.byIds;
export const templateVersionsByIds = versions.byIds;

export function templatesPage(
  context: Context,
  page: PageRequest,
  { search, isArchived }: TemplateFilter = {},
): Promise<Page<Template>> {
  return templates.page(context, page, {
    archivedAt: isArchived === true ? { $ne: null } : null,
    ...(search && { name: { $ilike: `%${escapeLike(search)}%` } }),
  } as FilterQuery<Template>);
}

type VersionFilter = {
  readonly [Name in 'templateId' | 'channel' | 'language' | 'state']?:
    | TemplateVersion[Name]
    | null
    | undefined;
};

export function templateVersionsPage(
  context: Context,
  page: PageRequest,
  filter: VersionFilter,
): Promise<Page<TemplateVersion>> {
  const given = Object.entries(filter).filter(([, value]) => value);
  return versions.page(context, page, Object.fromEntries(given));
}

/** The Approved, Active and Superseded versions of each template, most recently approved first. */
export async function approvedVersionsOf(context: Context, templateIds: readonly string[]) {
  const em = await context.read();
  const found = await em.find(
    TemplateVersion,
    {
      workspaceId: workspaceOf(context.viewer),
      templateId: { $in: [...templateIds] },
      state: { $in: [...SENDABLE_STATES] },
    },
    { orderBy: { approvedAt: 'desc', id: 'desc' } },
  );
  return templateIds.map(id => ({
    id,
    versions: found.filter(({ templateId }) => templateId === id),
  }));
}

/** The state changes of each version, latest first. */
export async function transitionsOfVersions(context: Context, ids: readonly string[]) {
  const em = await context.read();
  const found = await em.find(
    TemplateTransition,
    { workspaceId: workspaceOf(context.viewer), versionId: { $in: [...ids] } },
    { orderBy: { createdAt: 'desc', id: 'desc' } },
  );
  return ids.map(id => ({
    id,
    transitions: found.filter(({ versionId }) => versionId === id),
  }));
}

export async function submissionsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly TemplateSubmission[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(TemplateSubmission, { id: { $in: [...ids] }, workspaceId });
}
