// The API's refusals of a draft: at the fields of the form, or in words for the save bar.

import type { Refusal } from '../../../pieces/use-action.tsx';
import type { DraftForm } from './draft-form.ts';

const FIELDS = [
  'category',
  'header',
  'preheader',
  'body',
  'plainText',
  'footer',
  'buttons',
  'dltEntityId',
  'dltTemplateId',
  'samples',
] as const satisfies readonly (keyof DraftForm)[];

export type RefusedField = (typeof FIELDS)[number];

export const MESSAGES: Readonly<Record<string, string>> = {
  TEMPLATE_CHANGED: 'Someone else changed the draft.',
  TEMPLATE_VERSION_STATE: 'This version is no longer a draft.',
  TEMPLATE_PINNED: 'People in a journey will be sent this version, so it can’t be changed.',
};

/** Undefined where no field of the form is to blame. */
export function fieldOf({ path = [] }: Refusal): RefusedField | undefined {
  return FIELDS.find(field => path.includes(field));
}

/** For a field's `error`. */
export function refusalOf(refusals: readonly Refusal[], field: RefusedField): string | undefined {
  if (!refusals.some(refusal => fieldOf(refusal) === field)) return undefined;
  if (field === 'category') return 'Choose another category.';
  return 'This is too long, or contains characters that can’t be stored.';
}

/** For the save bar. */
export function reasonOf(refusals: readonly Refusal[]): string {
  const others = refusals.filter(refusal => fieldOf(refusal) === undefined);
  const isAtFields = others.length < refusals.length;
  const reasons = others.map(({ message }) => message);
  return [...reasons, ...(isAtFields ? ['Check the marked fields.'] : [])].join(' ');
}
