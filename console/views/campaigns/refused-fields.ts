// The API's refusals at the fields of the form, in the form's words; also of a launch, which the
// campaign's page links to them.

import { refusalAt } from '../../pieces/Refusals.tsx';
import type { Refusal } from '../../pieces/use-action.tsx';

const MESSAGES = {
  name: 'Enter a name of at most 256 characters.',
  surfaces: 'Enter at most 50 surfaces of at most 128 characters.',
  content:
    'The content is missing, too large or nested too deep, or has characters that can’t be stored.',
  audience: 'Check the conditions: the API can’t use one of their operators or values.',
  variants:
    'Check the variants: their names must differ, one weight must be above 0, and their content must not be too large.',
  consentPurpose: 'Use lowercase letters, digits and underscores, such as marketing.',
  startsAt: 'Enter a date and time.',
  endsAt: 'Enter a time after the start and after now.',
  priority: 'Enter a whole number.',
  totalMax: 'Enter a whole number from 1.',
  intervalSecondsMin: 'Enter 1 to 2,678,400 seconds.',
  windowMax: 'Enter the times together with the length of the window.',
  windowSeconds: 'Enter 60 to 2,678,400 seconds.',
} as const;

export type RefusedField = keyof typeof MESSAGES;

export const REFUSED_FIELDS = Object.keys(MESSAGES) as RefusedField[];

/** As the form calls them. */
export const LABELS: Readonly<Record<RefusedField, string>> = {
  name: 'Name',
  surfaces: 'Surfaces',
  content: 'Content',
  audience: 'For whom',
  variants: 'Variants',
  consentPurpose: 'Consent',
  startsAt: 'From',
  endsAt: 'Until',
  priority: 'Priority',
  totalMax: 'Times in all',
  intervalSecondsMin: 'Seconds between two',
  windowMax: 'Times in a window',
  windowSeconds: 'Length of the window',
};

/** By the API's code, for what a field's own message does not say. */
const CODES: Readonly<Record<string, string>> = {
  NOT_FOUND: 'A segment of the audience no longer exists. Choose another one.',
  SEGMENT_NOT_READY:
    'The members of a segment are still being counted. Try again in a few seconds.',
};

export function refusalOf(refusals: readonly Refusal[], field: RefusedField): string | undefined {
  const ofField = refusals.filter(refusal => refusalAt([refusal], field) !== undefined);
  const [first] = ofField;
  return first && (CODES[first.code ?? ''] ?? MESSAGES[field]);
}

/**
 * The field that prevents a launch, as a refusal of the form; undefined if none does. The API names it
 * only in its message.
 */
export function refusalOfLaunch({ message, code }: Refusal): FieldRefusal | undefined {
  const isOfSegment = code === 'SEGMENT_NOT_READY' || message.startsWith('The segment ');
  const names = code === 'CAMPAIGN_INCOMPLETE' ? message.split(':')[0]!.split('.') : [];
  const field = isOfSegment ? 'audience' : REFUSED_FIELDS.find(one => names.includes(one));
  return field && { field, path: [field], message, code };
}

export type FieldRefusal = Refusal & { readonly field: RefusedField };

/** The form, with what is wrong at the field. */
export function pathToField(id: string, { field, code = '' }: FieldRefusal): string {
  return `/campaigns/${id}/edit?${new URLSearchParams({ at: field, why: code }).toString()}`;
}

/** What the page of the form was opened for. */
export function linkedRefusals(search: string): readonly Refusal[] {
  const query = new URLSearchParams(search);
  const field = REFUSED_FIELDS.find(one => one === query.get('at'));
  if (field === undefined) return [];
  return [{ field, path: [field], message: '', code: query.get('why') ?? undefined }];
}
