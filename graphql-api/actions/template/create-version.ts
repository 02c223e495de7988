import type { Template } from '../../../schema/entities/template.ts';
import { TemplateVersion } from '../../../schema/entities/template-version.ts';
import type { TemplateChannel } from '../../../schema/rules/templates/content.ts';
import type { TemplateVersionCreate } from '../../../schema/wire/template.ts';
import { permits } from '../../access/permit.ts';
import { reject } from '../../rejected.ts';
import type { ActionScope } from '../run-action.ts';
import { addVersion } from './add-version.ts';
import { lockTemplate, requireLive } from './lock-version.ts';
import { contentOf, draftContent } from './version-content.ts';

/** Of a template that has no version which would say. */
const CHANNEL_DEFAULT: TemplateChannel = 'messaging_app';
const LANGUAGE_DEFAULT = 'en';

/** A new Draft; what is left out comes from the Active version, else from the latest one. */
export async function templateVersionCreate(
  scope: ActionScope,
  input: TemplateVersionCreate,
): Promise<{ readonly id: string }> {
  const template = await lockTemplate(scope, input.id);
  requireLive(template);
  requireForce(scope, input.forceRollout);
  const { id: _ofTemplate, channel: asked, language: spoken, forceRollout, note, ...given } = input;
  const latest = await latestOf(scope, template, asked, spoken);
  const channel = asked ?? latest?.channel ?? CHANNEL_DEFAULT;
  const language = spoken ?? latest?.language ?? LANGUAGE_DEFAULT;
  const base = await baseOf(scope, template, channel, language);
  return addVersion(scope, template, {
    channel,
    language,
    content: draftContent(channel, given, base === null ? undefined : contentOf(base)),
    changeSource: 'CREATED',
    ...(forceRollout !== undefined && { forceRollout }),
    ...(note !== undefined && { note }),
  });
}

/** It moves people in flight, which is not a member's to decide. */
export function requireForce({ viewer }: ActionScope, forceRollout: boolean | undefined): void {
  if (forceRollout === true && !permits(viewer, 'owner'))
    reject('FORBIDDEN', { message: 'Only an owner may force a rollout.' });
}

const NEWEST_FIRST = { createdAt: 'desc', id: 'desc' } as const;

/** What was worked on last says which channel and language are meant, where the caller doesn't. */
function latestOf(
  { em }: ActionScope,
  { id: templateId }: Template,
  channel: TemplateChannel | undefined,
  language: string | undefined,
): Promise<TemplateVersion | null> {
  const where = { templateId, ...(channel && { channel }), ...(language && { language }) };
  return em.findOne(TemplateVersion, where, { orderBy: NEWEST_FIRST });
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
