import type { RefusedField } from '../refused-fields.ts';
import type { Draft } from './campaign-input.ts';

/** Of the parts of the form. */
export type FormProps = {
  readonly draft: Draft;
  /** Whether missing values are errors. */
  readonly isChecked: boolean;
  /** What the API refused of a field, in the form's words. */
  readonly refusalOf: (field: RefusedField) => string | undefined;
  readonly onChange: (part: Partial<Draft>) => void;
};
