// Questions that are answered with a number: nps, from 0 to 10, and rating, with stars.

import { element } from '../element.ts';
import type { Content } from '../read-content.ts';
import { type Answer, choice, form } from './choice.ts';
import type { Kind, Tools } from './kind.ts';

const NPS_SCORE_MAX = 10;
const STARS = 5;
/** More do not fit next to each other on a phone. */
const STARS_MAX = 10;
const COMMENT_CHARACTERS_MAX = 2_000;

export const nps: Kind = {
  place: 'bottom',
  build: (content, tools) => {
    const scores = Array.from({ length: NPS_SCORE_MAX + 1 }, (_, at) => ({
      value: `${at}`,
      label: `${at}`,
    }));
    return scoreForm(content, tools, scores, 'scale', score => ({ score }));
  },
};

export const rating: Kind = {
  place: 'bottom',
  build: (content, tools) => {
    const wanted = Math.round(content.number('max', 'stars', 'scale') ?? STARS);
    const total = Math.min(Math.max(wanted, 2), STARS_MAX);
    const stars = Array.from({ length: total }, (_, at) => ({
      value: `${at + 1}`,
      label: '★',
      name: tools.words.of(at + 1, total),
    }));
    // Only `score` has a column of its own in the warehouse.
    return scoreForm(content, tools, stars, 'stars', rating => ({ rating, score: rating }));
  },
};

function scoreForm(
  content: Content,
  { feedback, words, thank }: Tools,
  answers: readonly Answer[],
  className: 'scale' | 'stars',
  payloadOf: (score: number) => Readonly<Record<string, unknown>>,
): readonly Node[] | undefined {
  if (content.title === '' && content.text === '') return undefined;
  const [low, high] = [content.short('low_label'), content.short('high_label')];
  const ends = low + high !== '' && element('div', { class: 'ends', id: 'ends' });
  if (ends)
    ends.append(element('span', { dir: 'auto' }, low), ' ', element('span', { dir: 'auto' }, high));
  const question = choice(answers, {
    className,
    labelledBy: content.title === '' ? 'text' : 'title',
    ...(ends && { describedBy: 'ends' }),
  });
  const comment = commentField(content.short('comment_label', 'comment'));
  const submit = () => {
    const [score] = question.chosen();
    if (score === undefined) return question.complain(words.choose);
    const text = comment?.input.value.trim() ?? '';
    feedback.answered({ ...payloadOf(Number(score)), ...(text !== '' && { comment: text }) });
    thank(content.short('thanks', 'thank_you') || words.thanks);
  };
  const parts = [question.element, ends || undefined, comment?.label];
  return [form(content.button || words.send, submit, ...parts)];
}

/** Only if the campaign asks for a comment. */
function commentField(text: string) {
  if (text === '') return undefined;
  const input = element('textarea', { rows: 2, maxlength: COMMENT_CHARACTERS_MAX, dir: 'auto' });
  const label = element('label', { class: 'field' }, element('span', { dir: 'auto' }, text), input);
  return { input, label };
}
