import type { Campaign } from '../../campaign-query.ts';

const ASKING: readonly Campaign['type'][] = ['NPS', 'RATING', 'POLL', 'QUIZ', 'FORM'];

/** Whether people may have answered the campaign. */
export function hasAnswers({ type, status }: Campaign): boolean {
  return ASKING.includes(type) && status !== 'DRAFT';
}
