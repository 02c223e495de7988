// The content of a version: the part that is versioned, approved and compared.

import { createHash } from 'node:crypto';

export const TEMPLATE_CHANNELS = ['messaging_app', 'sms', 'email'] as const;
export type TemplateChannel = (typeof TEMPLATE_CHANNELS)[number];

export const HEADER_TYPES = ['text', 'image', 'video', 'document'] as const;
export const BUTTON_TYPES = ['url', 'phone', 'quick_reply', 'copy_code', 'otp'] as const;

/** `text` is a messaging-app header, the registered sender ID of an SMS, or an email subject. */
export type TemplateHeader =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video' | 'document'; readonly url: string };

export type TemplateButton = {
  readonly type: (typeof BUTTON_TYPES)[number];
  readonly text: string;
  /** Only with type `url`. */
  readonly url?: string;
  /** Only with type `phone`. */
  readonly phoneNumber?: string;
  /** Only with type `copy_code`: the code to copy unless the send provides another. */
  readonly code?: string;
};

/** Fields that only one channel has. */
export type TemplateExtras = {
  /** Email: the preview text after the subject in the inbox. */
  readonly preheader?: string;
  /** Email: the plain-text alternative to the HTML. */
  readonly plainText?: string;
  /** SMS in India: the registered entity ID of the sender. */
  readonly dltEntityId?: string;
  /** SMS in India: the registered template ID of this exact text. */
  readonly dltTemplateId?: string;
};

export const EXTRAS = ['preheader', 'plainText', 'dltEntityId', 'dltTemplateId'] as const;

export type TemplateContent = {
  readonly category: string | null;
  readonly body: string;
  readonly header: TemplateHeader | null;
  readonly footer: string | null;
  readonly buttons: readonly TemplateButton[];
  readonly extras: TemplateExtras;
};

/** Equal content has equal hashes, whatever the order of object fields. */
export function contentHash(content: TemplateContent): string {
  const { category, body, header, footer, buttons, extras } = content;
  const parts = [category, body, header, footer, buttons, extras].map(inOrder);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Whether two values are equal as JSON. Postgres does not preserve the order of object fields. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, inOrder(inner)]);
}
