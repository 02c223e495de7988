// A question whose answers are the browser's own radio buttons or checkboxes, and so work with
// arrow keys, space and screen readers.

import { element } from '../element.ts';

export type Choice = {
  readonly element: HTMLElement;
  chosen(): readonly string[];
  /** Shows and announces an error, and moves the focus to the first answer. */
  complain(message: string): void;
};

type ChoiceOptions = {
  readonly className: 'options' | 'scale' | 'stars';
  readonly isMultiple?: boolean;
  /** IDs of the elements that name and explain the group. */
  readonly labelledBy: string;
  readonly describedBy?: string;
};

export type Answer = {
  readonly value: string;
  readonly label: string;
  /** The name for screen readers, where the label is a sign. */
  readonly name?: string;
};

export function choice(answers: readonly Answer[], options: ChoiceOptions): Choice {
  const { className, isMultiple = false, labelledBy, describedBy = '' } = options;
  const inputs = answers.map(({ value, name }) =>
    element('input', {
      type: isMultiple ? 'checkbox' : 'radio',
      name: 'answer',
      value,
      'aria-label': name,
    }),
  );
  const labels = answers.map(({ label, name }, at) =>
    element(
      'label',
      {},
      inputs[at]!,
      element('span', { dir: 'auto', 'aria-hidden': name !== undefined && 'true' }, label),
    ),
  );
  const error = element('p', { class: 'error', id: 'choice-error', role: 'alert' });
  const group = element(
    'div',
    {
      class: className,
      role: isMultiple ? 'group' : 'radiogroup',
      'aria-labelledby': labelledBy,
      'aria-describedby': `${describedBy} choice-error`.trim(),
    },
    ...labels,
  );
  group.addEventListener('change', () => error.replaceChildren());
  return {
    element: element('div', {}, group, error),
    chosen: () => inputs.filter(({ checked }) => checked).map(({ value }) => value),
    complain(message) {
      error.textContent = message;
      inputs[0]?.focus();
    },
  };
}

/** Nothing is sent to the form's address: the policy of a page may forbid that. */
export function form(
  submitLabel: string,
  onSubmit: () => void,
  ...parts: readonly (Node | undefined)[]
): HTMLFormElement {
  const submit = element('button', { type: 'submit', class: 'button', dir: 'auto' }, submitLabel);
  const created = element('form', { novalidate: true }, ...parts, submit);
  created.addEventListener('submit', event => {
    event.preventDefault();
    onSubmit();
  });
  return created;
}
