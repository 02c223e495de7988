// What a person answered, in words.

import type { Response } from './answers-query.ts';
import { type AskedQuestion, isFields } from './asked-questions.ts';

/** An answer, with its question where a campaign asks several. */
export type Answered = { readonly question?: string; readonly answer: string };

export function answersIn(
  { responseType, payload }: Response,
  asked: readonly AskedQuestion[],
): Answered[] {
  if (!isFields(payload)) return [];
  const answers = pairsIn(responseType, payload).flatMap(([id, value]) => {
    const question = asked.find(one => one.id === id);
    const answer = inWords(value, question);
    if (answer === '') return [];
    return [id === '' ? { answer } : { question: question?.label ?? id, answer }];
  });
  return [...answers, ...remarksIn(responseType, payload)];
}

type Payload = Readonly<Record<string, unknown>>;

/** The values by question. Keys are those of the API's contract for responses. */
function pairsIn(type: string, payload: Payload): [id: string, value: unknown][] {
  const { score, rating, option_ids, option_id, option, answers, fields, values } = payload;
  switch (type) {
    case 'nps':
      return [['', score]];
    case 'rating':
      return [['', rating ?? score]];
    case 'poll':
      return [['', option_ids ?? option_id ?? option]];
    case 'quiz':
      return Array.isArray(answers)
        ? answers.map((answer, at) => [`${at + 1}`, answer])
        : entriesOf(answers);
    case 'form':
      return entriesOf(fields ?? values);
    default:
      return [];
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isFields(value) ? Object.entries(value) : [];
}

/** What belongs to the response as a whole. */
function remarksIn(type: string, { comment, score, passed }: Payload): Answered[] {
  const isQuiz = type === 'quiz';
  return [
    typeof comment === 'string' && comment !== '' && { question: 'Comment', answer: comment },
    isQuiz && typeof score === 'number' && { question: 'Points', answer: `${score}` },
    isQuiz && typeof passed === 'boolean' && { question: 'Passed', answer: passed ? 'Yes' : 'No' },
  ].filter(one => one !== false);
}

function inWords(value: unknown, question: AskedQuestion | undefined): string {
  if (Array.isArray(value)) return value.map(one => inWords(one, question)).join(', ');
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return question?.options?.get(text) ?? text;
}
