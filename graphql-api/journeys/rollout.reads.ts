import type { Context } from '../platform/context.ts';
import { workspaceOf } from '../platform/permit.ts';
import { TemplateVersion } from '../templates/version.entity.ts';

/** Above the number of versions of one template, channel and language that are still pinned. */
const VERSIONS_MAX = 100;

/** The other versions of the same template, channel and language that may have pins. */
export async function treeOfVersion(
  context: Context,
  { id, templateId, channel, language }: TemplateVersion,
): Promise<readonly TemplateVersion[]> {
  const em = await context.read();
  const where = { templateId, channel, language, workspaceId: workspaceOf(context.viewer) };
  return em.find(
    TemplateVersion,
    { ...where, id: { $ne: id }, state: { $nin: ['Draft', 'Archived'] } },
    { orderBy: { number: 'desc' }, limit: VERSIONS_MAX },
  );
}
