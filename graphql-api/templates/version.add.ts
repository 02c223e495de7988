import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateChannel } from './content.ts';
import type { Template } from './template.entity.ts';
import { TemplateTransition } from './transition.entity.ts';
import { TemplateVersion } from './version.entity.ts';
import type { DraftContent } from './version-content.ts';

/** Covers all channels and languages: the versions are a history that people read. */
const VERSIONS_MAX = 2_000;

export type NewVersion = {
  readonly channel: TemplateChannel;
  readonly language: string;
  readonly content: DraftContent;
  readonly changeSource: TemplateVersion['changeSource'];
  readonly restoredFromId?: string;
  /** The version whose content this one started from. */
  readonly basedOnId?: string | undefined;
  readonly forceRollout?: boolean;
  readonly note?: string;
};

/** Adds a Draft with the next number of its channel and language. Requires the template's lock. */
export async function addVersion(
  { em, viewer, deps, audit }: ActionScope,
  { id: templateId, workspaceId }: Template,
  added: NewVersion,
): Promise<{ readonly id: string }> {
  const { channel, language, content, changeSource, restoredFromId, basedOnId, note = '' } = added;
  const [row] = await em.execute<{ count: number; number: number }[]>(
    `SELECT count(*)::int AS count,
            coalesce(max(number) FILTER (WHERE channel = ? AND language = ?), 0) AS number
     FROM template_versions WHERE template_id = ?`,
    [channel, language, templateId],
  );
  if (row!.count >= VERSIONS_MAX) reject('TOO_MANY_TEMPLATE_VERSIONS');
  const id = deps.newId();
  const now = new Date(deps.clock.nowMs());
  const number = row!.number + 1;
  await em.insert(TemplateVersion, {
    ...content,
    id,
    templateId,
    workspaceId,
    channel,
    language,
    number,
    forceRollout: added.forceRollout ?? false,
    restoredFromId: restoredFromId ?? null,
    basedOnId: basedOnId ?? null,
    changeSource,
    note,
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
  });
  await em.insert(TemplateTransition, {
    id: deps.newId(),
    workspaceId,
    versionId: id,
    fromState: null,
    toState: 'Draft',
    cause: restoredFromId === undefined ? 'create' : 'restore',
    actorId: viewer.userId,
    submissionId: null,
    createdAt: now,
  });
  await audit({
    action: restoredFromId === undefined ? 'template_version.create' : 'template_version.restore',
    subjectType: 'template_version',
    subjectId: id,
    after: {
      templateId,
      channel,
      language,
      number,
      ...(restoredFromId !== undefined && { restoredFromId }),
      ...(added.forceRollout === true && { forceRollout: true }),
    },
  });
  return { id };
}
