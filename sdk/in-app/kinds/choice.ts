// A question whose answers are native radio buttons or checkboxes, so arrow keys,
// the space bar and screen readers work.

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
  /** The IDs of the elements that label and describe the group. */
  readonly labelledBy: string;
  readonly describedBy?: string;
};

export type Answer = {
  readonly value: string;
  readonly label: string;
  /** The name for screen readers if the label is a symbol. */
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

/** The form is not submitted to a URL, because the policy of a page may forbid that. */
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
