import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { escapeLike } from '../platform/database/escape-like.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { TemplateSubmission } from './approval/submission.entity.ts';
import type { TemplateChannel } from './content.ts';
import { Template } from './template.entity.ts';
import { TemplateTransition } from './transition.entity.ts';
import { SENDABLE_STATES, type TemplateState } from './transitions.ts';
import { TemplateVersion } from './version.entity.ts';

export type TemplateFilter = {
  readonly search?: string | null | undefined;
  /** Defaults to templates that are not archived. */
  readonly isArchived?: boolean | null | undefined;
};

export async function templatesPage(
  context: Context,
  page: PageRequest,
  { search, isArchived }: TemplateFilter = {},
): Promise<Page<Template>> {
  const where = {
    workspaceId: workspaceOf(context.viewer),
    archivedAt: isArchived === true ? { $ne: null } : null,
    ...(search && { name: { $ilike: `%${escapeLike(search)}%` } }),
  } as FilterQuery<Template>;
  return readPage(await context.read(), Template, where, page);
}

export async function templatesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Template[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(Template, { id: { $in: [...ids] }, workspaceId });
}

export type VersionFilter = {
  readonly templateId?: string | undefined;
  readonly channel?: TemplateChannel | null | undefined;
  readonly language?: string | null | undefined;
  readonly state?: TemplateState | null | undefined;
};

export async function templateVersionsPage(
  context: Context,
  page: PageRequest,
  { templateId, channel, language, state }: VersionFilter,
): Promise<Page<TemplateVersion>> {
  const where = {
    workspaceId: workspaceOf(context.viewer),
    ...(templateId && { templateId }),
    ...(channel && { channel }),
    ...(language && { language }),
    ...(state && { state }),
  } as FilterQuery<TemplateVersion>;
  return readPage(await context.read(), TemplateVersion, where, page);
}

export async function templateVersionsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly TemplateVersion[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(TemplateVersion, { id: { $in: [...ids] }, workspaceId });
}

export type ApprovedVersions = {
  /** The ID of the template. */
  readonly id: string;
  /** Approved, Active and Superseded versions, the most recently approved first. */
  readonly versions: readonly TemplateVersion[];
};

export async function approvedVersionsOf(
  context: Context,
  templateIds: readonly string[],
): Promise<readonly ApprovedVersions[]> {
  const em = await context.read();
  const versions = await em.find(
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
    versions: versions.filter(({ templateId }) => templateId === id),
  }));
}

export type VersionHistory = {
  /** The ID of the version. */
  readonly id: string;
  readonly transitions: readonly TemplateTransition[];
};

/** The state changes of each version, latest first. */
export async function transitionsOfVersions(
  context: Context,
  ids: readonly string[],
): Promise<readonly VersionHistory[]> {
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
