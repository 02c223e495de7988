import type { TemplateVersionRestore } from '../../../schema/wire/template.ts';
import type { ActionScope } from '../run-action.ts';
import { addVersion } from './add-version.ts';
import { lockVersion, requireLive } from './lock-version.ts';
import { contentOf, draftContent } from './version-content.ts';

/** A new Draft with the content of an earlier version, in whatever state; it says which. */
export async function templateVersionRestore(
  scope: ActionScope,
  { id, note }: TemplateVersionRestore,
): Promise<{ readonly id: string }> {
  const { template, version } = await lockVersion(scope, id);
  requireLive(template);
  const { channel, language } = version;
  return addVersion(scope, template, {
    channel,
    language,
    content: draftContent(channel, {}, contentOf(version)),
    changeSource: 'RESTORED',
    restoredFromId: id,
    basedOnId: id,
    ...(note !== undefined && { note }),
  });
}
