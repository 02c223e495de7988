// The API's refusals at the fields of the form that they belong to, in the form's words.

import type { Refusal } from '../../../pieces/use-action.tsx';
import { STEP_MESSAGES } from '../actions/start-refusals.ts';
import type { Fault } from './draft-faults.ts';
import type { DraftStep } from './journey-draft.ts';

const FIELDS: Readonly<Record<string, readonly [field: string, message: string]>> = {
  templateId: ['templateId', 'This template can’t be used. Choose another one.'],
  channel: ['channel', 'Choose another channel and language.'],
  language: ['channel', 'Choose another channel and language.'],
  activeVersion: ['channel', STEP_MESSAGES.activeVersion],
  versionId: ['versionId', 'This version can’t be used. Choose another one.'],
  variables: ['variables', 'Enter the names of traits, of at most 64 characters.'],
  seconds: ['duration', 'Enter a time from one minute to 365 days.'],
  content: ['content', 'The content is too large, or contains characters that can’t be stored.'],
  surfaces: ['surfaces', 'Enter at most 50 surfaces of at most 128 characters.'],
  priority: ['priority', 'Enter a whole number.'],
  consentPurpose: ['consentPurpose', 'Use lowercase letters, digits and underscores.'],
  next: ['next', 'Choose another step.'],
  onDismissed: ['onDismissed', 'Choose another step.'],
  onExpired: ['onExpired', 'Choose another step.'],
};

export const MESSAGES: Readonly<Record<string, string>> = {
  JOURNEY_TOO_LARGE: 'The widgets are too large: the limit for all of them together is 256 KB.',
  TOO_MANY_JOURNEYS:
    'The workspace has reached its maximum number of journeys, including archived ones.',
  VERSION_OF_ANOTHER_NODE:
    'A fixed version belongs to another channel or language than its message. Choose the versions again.',
  JOURNEY_STATUS: 'The journey was archived in the meantime and can’t be changed.',
  SEGMENT_NOT_READY:
    'The members of the entry segment are still being counted. Try again in a few seconds.',
};

/** What the page of the form was opened for (`faultPath`). */
export function linkedRefusals(search: string, steps: readonly DraftStep[]): readonly Refusal[] {
  const query = new URLSearchParams(search);
  const [field, of] = [query.get('at'), query.get('of') ?? ''];
  if (field === null) return [];
  if (field === 'entrySegmentId') return [{ message: MESSAGES[of] ?? '', path: [field], code: of }];
  const at = steps.findIndex(({ id }) => id === of);
  return at < 0 ? [] : [{ message: '', path: ['nodes', String(at), field] }];
}

/** Undefined where no field of the form is to blame. */
export function refusedFieldOf(
  { message, path = [], code }: Refusal,
  steps: readonly DraftStep[],
): Fault | undefined {
  if (path.includes('entrySegmentId'))
    return code === 'NOT_FOUND'
      ? {
          stepId: '',
          field: 'entrySegmentId',
          message: 'This segment was archived. Choose another one.',
        }
      : { stepId: '', field: 'entrySegmentId', message };
  const at = path.indexOf('nodes');
  if (at < 0)
    return path.at(-1) === 'name'
      ? { stepId: '', field: 'name', message: 'Enter a name of at most 256 characters.' }
      : undefined;
  if (code === 'NOT_FOUND') return templateGone(message, steps);
  const step = steps[Number(path[at + 1])];
  const known = FIELDS[path[at + 2] ?? ''];
  return step && known && { stepId: step.id, field: known[0], message: known[1] };
}

/** The API names the step of a missing template only in its message. */
function templateGone(message: string, steps: readonly DraftStep[]): Fault | undefined {
  const step = steps.find(({ id }) => message.includes(` ${id} `));
  return (
    step && {
      stepId: step.id,
      field: 'templateId',
      message: 'This template was archived. Choose another one.',
    }
  );
}
