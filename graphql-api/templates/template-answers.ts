// The REST responses for templates and versions.

import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/rejected.ts';
import { TEMPLATE_CHANNELS } from './content.ts';
import type { Template } from './template.entity.ts';
import { approvedVersionsOf, templatesByIds, templateVersionsByIds } from './template.reads.ts';
import type {
  TemplateResource,
  TemplateSummaryResource,
  TemplateVersionResource,
} from './template.resource.ts';
import type { TemplateVersion } from './version.entity.ts';

export async function requireTemplate(context: Context, id: string): Promise<Template> {
  const [template] = await templatesByIds(context, [id]);
  return template ?? notFound('template');
}

/** Finds a version only under its own template. */
export async function requireVersion(
  context: Context,
  templateId: string,
  id: string,
): Promise<TemplateVersion> {
  const [version] = await templateVersionsByIds(context, [id]);
  if (version?.templateId === templateId) return version;
  return notFound('version of this template');
}

export async function templateShown(
  { id }: { readonly id: string },
  context: Context,
): Promise<{ template: TemplateResource }> {
  const template = await requireTemplate(context, id);
  const [approved] = await approvedVersionsOf(context, [id]);
  const versions = approved?.versions ?? [];
  const answers = await versionAnswers(context, versions);
  const standingOf = (some: readonly TemplateVersion[]) => {
    const active = some.filter(({ state }) => state === 'Active').toSorted(lastActivatedFirst)[0];
    return {
      active_version: active === undefined ? null : answers.get(active.id)!,
      approved_versions: some.map(version => answers.get(version.id)!),
    };
  };
  const channels = TEMPLATE_CHANNELS.map(channel => [
    channel,
    standingOf(versions.filter(version => version.channel === channel)),
  ]);
  return {
    template: {
      ...summaryAnswer(template),
      ...standingOf(versions),
      channels: Object.fromEntries(channels) as TemplateResource['channels'],
    },
  };
}

export async function versionShown(
  { id }: { readonly id: string },
  context: Context,
): Promise<{ version: TemplateVersionResource }> {
  const answers = await versionAnswers(context, await templateVersionsByIds(context, [id]));
  return { version: answers.get(id)! };
}

export function summaryAnswer(template: Template): TemplateSummaryResource {
  return {
    template_id: template.id,
    name: template.name,
    description: template.description,
    archived_at: template.archivedAt?.toISOString() ?? null,
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
  };
}

/** Responses by version ID. The pinned enrolments of all versions are counted in one query. */
export async function versionAnswers(
  context: Context,
  versions: readonly TemplateVersion[],
): Promise<ReadonlyMap<string, TemplateVersionResource>> {
  const pins = await context.deps.pinning.pinsByVersions(
    context,
    versions.map(({ id }) => id),
  );
  const counts = new Map(pins.map(({ id, pinnedCount }) => [id, pinnedCount]));
  return new Map(
    versions.map(version => [version.id, versionAnswer(version, counts.get(version.id) ?? 0)]),
  );
}

function versionAnswer(version: TemplateVersion, pinnedCount: number): TemplateVersionResource {
  return {
    version_id: version.id,
    template_id: version.templateId,
    channel: version.channel,
    language: version.language,
    state: version.state,
    category: (version.category ?? null) as TemplateVersionResource['category'],
    body: version.body,
    header: version.header ?? null,
    footer: version.footer ?? null,
    buttons: version.buttons.map(({ phoneNumber, ...button }) => ({
      ...button,
      ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
    })),
    variables: version.variables.map(({ isRequired, ...variable }) => ({
      ...variable,
      is_required: isRequired,
    })),
    force_rollout: version.forceRollout,
    created_at: version.createdAt.toISOString(),
    submitted_at: version.submittedAt?.toISOString() ?? null,
    approved_at: version.approvedAt?.toISOString() ?? null,
    activated_at: version.activatedAt?.toISOString() ?? null,
    rejection_reason: version.rejectionReason ?? null,
    pinned_count: pinnedCount,
  };
}

function lastActivatedFirst(a: TemplateVersion, b: TemplateVersion): number {
  return (b.activatedAt?.getTime() ?? 0) - (a.activatedAt?.getTime() ?? 0);
}
