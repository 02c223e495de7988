// The variants of a campaign as the form edits them.

import { inPercent } from '../../../pieces/in-words.ts';
import type { Campaign } from '../campaign-query.ts';
import { type ContentDraft, contentDraftOf, contentFault } from './content-draft.ts';

export type VariantDraft = {
  readonly id: string;
  readonly weight: number | '';
  /** Null shows the campaign's content. */
  readonly content: ContentDraft | null;
};

/** The maximum of the API. */
export const VARIANTS_MAX = 10;

export function variantDraftOf({
  id,
  weight,
  content,
}: Campaign['variants'][number]): VariantDraft {
  return { id, weight, content: content === null ? null : contentDraftOf(content) };
}

/** With the first letter that no variant is named by. */
export function newVariant(variants: readonly VariantDraft[]): VariantDraft {
  const names = Array.from({ length: VARIANTS_MAX + 1 }, (_, at) => String.fromCharCode(97 + at));
  const id = names.find(name => variants.every(one => one.id !== name)) ?? '';
  return { id, weight: 1, content: null };
}

/** As the API takes it. Only for a draft without faults. */
export function givenVariant({ id, weight, content }: VariantDraft) {
  return { id, weight: Number(weight), ...(content && { content: content.content }) };
}

/** For example “50%”; undefined while a weight is missing. */
export function shareOf(variants: readonly VariantDraft[], at: number): string | undefined {
  const sum = variants.reduce((all, { weight }) => all + Number(weight), 0);
  const { weight } = variants[at]!;
  return weight === '' || sum === 0 ? undefined : inPercent(weight / sum);
}

type VariantFault = {
  readonly field: 'id' | 'weight' | 'content';
  readonly message: string;
};

export function variantFault(
  variants: readonly VariantDraft[],
  at: number,
): VariantFault | undefined {
  const { id, weight, content } = variants[at]!;
  if (id.trim() === '') return { field: 'id', message: 'Enter a name' };
  if (variants.findIndex(one => one.id === id) < at)
    return { field: 'id', message: 'Enter a name that no other variant has' };
  if (weight === '' || weight < 0) return { field: 'weight', message: 'Enter a number from 0' };
  if (variants.every(one => Number(one.weight) === 0))
    return { field: 'weight', message: 'Enter a weight above 0 for one variant' };
  const fault = content && contentFault(content);
  return fault ? { field: 'content', message: fault } : undefined;
}
