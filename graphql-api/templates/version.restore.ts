import type { ActionScope } from '../platform/run-action.ts';
import type { TemplateVersionRestore } from './template.contract.ts';
import { addVersion } from './version.add.ts';
import { lockVersion, requireLive } from './version.lock.ts';
import { contentOf, draftContent } from './version-content.ts';

/** Creates a Draft with the content of an earlier version in any state. */
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
