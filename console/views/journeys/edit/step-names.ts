import { wordAt } from '../steps/step-words.ts';
import type { DraftStep, StepKind } from './journey-draft.ts';

export const KIND_LABELS: Readonly<Record<StepKind, string>> = {
  SEND: 'Message',
  WAIT: 'Wait',
  WIDGET: 'Widget',
};

/** For example "2. Wait: 3 days". */
export function nameOfStep(step: DraftStep, at: number): string {
  const what = whatOf(step);
  return `${at + 1}. ${KIND_LABELS[step.kind]}${what === '' ? '' : `: ${what}`}`;
}

function whatOf(step: DraftStep): string {
  if (step.kind === 'SEND') return step.templateName;
  if (step.kind === 'WIDGET') return wordAt(step.content, 'title') ?? '';
  const { count, unit } = step.duration;
  return count === '' ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
}
