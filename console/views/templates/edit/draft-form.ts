// A draft as the form holds it, and what of it the API is told.

import type { Channel } from '../channels.tsx';
import type { TemplateButton, Version } from '../version/version-query.ts';

export type HeaderType = NonNullable<Version['header']>['type'];

export type DraftForm = {
  readonly category: Version['category'];
  /** Null where there is none. */
  readonly headerType: HeaderType | null;
  /** The line, or the address of what stands there. */
  readonly header: string;
  readonly preheader: string;
  readonly body: string;
  readonly plainText: string;
  readonly footer: string;
  readonly buttons: readonly TemplateButton[];
  readonly dltEntityId: string;
  readonly dltTemplateId: string;
  /** By name; those that are not there are the API's. */
  readonly samples: Readonly<Record<string, string>>;
};

export function formOf(version: Version): DraftForm {
  const { channel, category, header, body, footer, buttons, variables } = version;
  return {
    category,
    headerType: header?.type ?? (channel === 'MESSAGING_APP' ? null : 'TEXT'),
    header: header?.text ?? header?.url ?? '',
    preheader: version.preheader ?? '',
    body,
    plainText: version.plainText ?? '',
    footer: footer ?? '',
    buttons,
    dltEntityId: version.dltEntityId ?? '',
    dltTemplateId: version.dltTemplateId ?? '',
    samples: Object.fromEntries(variables.map(({ name, sample }) => [name, sample])),
  };
}

export function contentOf(form: DraftForm, channel: Channel) {
  const { category, body, buttons, samples } = form;
  return {
    category,
    body,
    header: headerOf(form, channel),
    footer: form.footer || null,
    buttons: buttons.map(({ type, text, url, phoneNumber, code }) => ({
      type,
      text,
      url,
      phoneNumber,
      code,
    })),
    preheader: form.preheader || null,
    plainText: form.plainText || null,
    dltEntityId: form.dltEntityId || null,
    dltTemplateId: form.dltTemplateId || null,
    samples,
  };
}

/** A header without a word is none, but in the messaging app, where it was asked for. */
function headerOf({ headerType, header }: DraftForm, channel: Channel) {
  if (headerType === null || (header === '' && channel !== 'MESSAGING_APP')) return null;
  return headerType === 'TEXT'
    ? { type: headerType, text: header }
    : { type: headerType, url: header };
}

const APP_CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
const OTHER_CATEGORIES = [
  'TRANSACTIONAL',
  'SERVICE_IMPLICIT',
  'SERVICE_EXPLICIT',
  'PROMOTIONAL',
] as const;

export function categoriesOf(channel: Channel) {
  return channel === 'MESSAGING_APP' ? APP_CATEGORIES : OTHER_CATEGORIES;
}
