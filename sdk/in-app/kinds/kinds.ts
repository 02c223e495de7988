import { countdown } from './countdown.ts';
import { form } from './form.ts';
import type { Kind } from './kind.ts';
import { message } from './message.ts';
import { poll } from './poll.ts';
import { quiz } from './quiz.ts';
import { nps, rating } from './score.ts';

/** The display types of the contract. */
export const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['banner', message('top')],
  ['modal', message('dialog')],
  ['fullscreen', message('dialog', true)],
  ['slide_up', message('bottom')],
  ['tooltip', message('anchor')],
  ['nps', nps],
  ['poll', poll],
  ['quiz', quiz],
  ['rating', rating],
  ['form', form],
  ['countdown', countdown],
]);
