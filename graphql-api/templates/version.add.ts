import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateChannel } from './content.ts';
import type { Template } from './template.entity.ts';
import { TemplateVersion } from './version.entity.ts';
import { recordTransition, templateScope } from './version.move.ts';
import type { DraftContent } from './version-content.ts';

/** Covers all channels and languages: the versions are a history that people read. */
const VERSIONS_MAX = 2_000;

type NewVersion = {
  readonly channel: TemplateChannel;
  readonly language: string;
  readonly content: DraftContent;
  readonly changeSource: TemplateVersion['changeSource'];
  readonly restoredFromId?: string;
  /** The version whose content this one started from. */
  readonly basedOnId?: string | undefined;
  readonly forceRollout?: boolean | undefined;
  readonly note?: string | undefined;
};

/** Adds a Draft with the next number of its channel and language. Requires the template's lock. */
export async function addVersion(
  scope: ActionScope,
  { id: templateId, workspaceId }: Template,
  { content, ...added }: NewVersion,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const { channel, language, restoredFromId, forceRollout = false } = added;
  const [earlier] = await rowsOf(
    em,
    sql<{ count: number; number: number }>`SELECT count(*)::int AS count,
        coalesce(max(number) FILTER (WHERE channel = ${channel} AND language = ${language}), 0) AS number
      FROM template_versions WHERE template_id = ${templateId}`,
  );
  if (earlier!.count >= VERSIONS_MAX) reject('TOO_MANY_TEMPLATE_VERSIONS');
  const id = deps.newId();
  const now = new Date(deps.clock.nowMs());
  const number = earlier!.number + 1;
  await em.insert(TemplateVersion, {
    ...content,
    ...added,
    id,
    templateId,
    workspaceId,
    number,
    forceRollout,
    restoredFromId: restoredFromId ?? null,
    basedOnId: added.basedOnId ?? null,
    note: added.note ?? '',
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
  });
  const cause = restoredFromId === undefined ? 'create' : 'restore';
  const created = { fromState: null, toState: 'Draft', cause, submissionId: null } as const;
  await recordTransition(templateScope(scope), { id, workspaceId }, created);
  await audit({
    action: `template_version.${cause}`,
    subjectId: id,
    after: {
      templateId,
      channel,
      language,
      number,
      ...(restoredFromId !== undefined && { restoredFromId }),
      ...(forceRollout && { forceRollout }),
    },
  });
  return { id };
}
