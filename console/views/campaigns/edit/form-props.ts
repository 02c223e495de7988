import type { Refusal } from '../../../pieces/use-action.tsx';
import type { Draft } from './campaign-input.ts';

/** Of the parts of the form. */
export type FormProps = {
  readonly draft: Draft;
  readonly refusals: readonly Refusal[];
  readonly onChange: (part: Partial<Draft>) => void;
};
