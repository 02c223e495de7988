import { kysely } from '../platform/database/kysely.ts';
import { permits } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { TEMPLATE_CHANNELS, type TemplateChannel } from './content.ts';
import type { TemplateVersionCreate } from './template.contract.ts';
import type { Template } from './template.entity.ts';
import { addVersion } from './version.add.ts';
import { TemplateVersion } from './version.entity.ts';
import { lockTemplate, requireLive } from './version.lock.ts';
import { contentOf, draftContent } from './version-content.ts';

/** The defaults for a template without versions. */
const CHANNEL_DEFAULT: TemplateChannel = 'messaging_app';
const LANGUAGE_DEFAULT = 'en';

/** Creates a Draft. Omitted fields are copied from the Active version, otherwise from the latest version. */
export async function templateVersionCreate(
  scope: ActionScope,
  input: TemplateVersionCreate,
): Promise<{ readonly id: string }> {
  const template = await lockTemplate(scope, input.id);
  requireLive(template);
  requireForce(scope, input.forceRollout);
  const { id: _ofTemplate, channel: asked, language: spoken, forceRollout, note, ...given } = input;
  const channel = asked ?? (await usualChannel(scope, template));
  const language = spoken ?? (await latestLanguage(scope, template, channel));
  const base = await baseOf(scope, template, channel, language);
  return addVersion(scope, template, {
    channel,
    language,
    content: draftContent(channel, given, base === null ? undefined : contentOf(base)),
    changeSource: 'CREATED',
    basedOnId: base?.id,
    forceRollout,
    note,
  });
}

/** Moving enrolments in flight is reserved to owners. */
export function requireForce({ viewer }: ActionScope, forceRollout: boolean | undefined): void {
  if (forceRollout === true && !permits(viewer, 'owner'))
    reject('FORBIDDEN', { message: 'Only an owner can force a rollout.' });
}

/** Returns the first channel, in the order of `TEMPLATE_CHANNELS`, that the template has. */
async function usualChannel({ em }: ActionScope, { id }: Template): Promise<TemplateChannel> {
  const rows = await kysely(em)
    .selectFrom('template_versions')
    .select('channel')
    .distinct()
    .where('templateId', '=', id)
    .execute();
  const has = new Set(rows.map(({ channel }) => channel));
  return TEMPLATE_CHANNELS.find(channel => has.has(channel)) ?? CHANNEL_DEFAULT;
}

/** Returns the language of the newest version of the channel. */
async function latestLanguage(
  { em }: ActionScope,
  { id: templateId }: Template,
  channel: TemplateChannel,
): Promise<string> {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  const latest = await em.findOne(TemplateVersion, { templateId, channel }, { orderBy });
  return latest?.language ?? LANGUAGE_DEFAULT;
}

async function baseOf(
  { em }: ActionScope,
  { id: templateId }: Template,
  channel: TemplateChannel,
  language: string,
): Promise<TemplateVersion | null> {
  const tree = { templateId, channel, language };
  return (
    (await em.findOne(TemplateVersion, { ...tree, state: 'Active' })) ??
    (await em.findOne(
      TemplateVersion,
      { ...tree, state: { $ne: 'Archived' } },
      { orderBy: { number: 'desc' } },
    ))
  );
}
