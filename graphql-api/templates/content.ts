// What a version says: the part of it that is versioned, approved and compared.

import { createHash } from 'node:crypto';

export const TEMPLATE_CHANNELS = ['messaging_app', 'sms', 'email'] as const;
export type TemplateChannel = (typeof TEMPLATE_CHANNELS)[number];

export const HEADER_TYPES = ['text', 'image', 'video', 'document'] as const;
export const BUTTON_TYPES = ['url', 'phone', 'quick_reply', 'copy_code', 'otp'] as const;

/** `text` of a messaging app's header, of an SMS's registered sender and of an email's subject. */
export type TemplateHeader =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video' | 'document'; readonly url: string };

export type TemplateButton = {
  readonly type: (typeof BUTTON_TYPES)[number];
  readonly text: string;
  /** Of `url`. */
  readonly url?: string;
  /** Of `phone`. */
  readonly phoneNumber?: string;
  /** Of `copy_code`: what is copied where nothing else is given. */
  readonly code?: string;
};

/** What only one channel has. */
export type TemplateExtras = {
  /** Email: what a list of mail shows after the subject. */
  readonly preheader?: string;
  /** Email: for those who don't read HTML. */
  readonly plainText?: string;
  /** SMS in India: who sends, as registered. */
  readonly dltEntityId?: string;
  /** SMS in India: this very text, as registered. */
  readonly dltTemplateId?: string;
};

export type TemplateContent = {
  readonly category: string | null;
  readonly body: string;
  readonly header: TemplateHeader | null;
  readonly footer: string | null;
  readonly buttons: readonly TemplateButton[];
  readonly extras: TemplateExtras;
};

/** Equal for equal content, whatever the order in which objects name their fields. */
export function contentHash(content: TemplateContent): string {
  const { category, body, header, footer, buttons, extras } = content;
  const parts = [category, body, header, footer, buttons, extras].map(inOrder);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, inOrder(inner)]);
}
