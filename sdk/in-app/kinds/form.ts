// A form with the fields that the operator chose. The browser validates them and shows the errors
// in the person's language.

import { element } from '../element.ts';
import type { Item } from '../read-content.ts';
import { form as formElement } from './choice.ts';
import type { Kind } from './kind.ts';

const VALUE_CHARACTERS_MAX = 2_000;
const INPUT_TYPES = ['email', 'tel', 'number', 'date', 'url'];

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Field = { readonly name: string; readonly input: Control; readonly row: HTMLElement };

export const form: Kind = {
  place: 'dialog',
  build: (content, { feedback, words, thank }) => {
    const fields = content
      .items(content.fields.fields)
      .map((item, at) => fieldOf(item, at, content.items(item.fields.options)));
    if (fields.length === 0) return undefined;
    const submit = () => {
      const faulty = fields.filter(field => !check(field));
      if (faulty.length > 0) return faulty[0]!.input.focus();
      const values = fields.map(({ name, input }) => [name, answerOf(input)] as const);
      feedback.answered({ fields: Object.fromEntries(values) });
      thank(content.short('thanks', 'thank_you') || words.thanks);
    };
    return [formElement(content.button || words.send, submit, ...fields.map(({ row }) => row))];
  },
};

function fieldOf({ id, label, fields }: Item, at: number, options: readonly Item[]): Field {
  const errorId = `error-${at}`;
  const isRequired = fields.required === true;
  const input = inputOf(fields.type, options, {
    required: isRequired,
    'aria-describedby': errorId,
    dir: 'auto',
  });
  const name = element('span', { dir: 'auto' }, label, isRequired ? ' *' : '');
  const isCheckbox = fields.type === 'checkbox';
  const row = element('label', { class: isCheckbox ? 'check' : 'field' });
  row.append(...(isCheckbox ? [input, name] : [name, input]));
  const error = element('p', { class: 'error', id: errorId, role: 'alert' });
  const nameOfField = typeof fields.name === 'string' && fields.name !== '' ? fields.name : id;
  return { name: nameOfField, input, row: element('div', {}, row, error) };
}

type Attributes = Readonly<Record<string, string | boolean>>;

function inputOf(type: unknown, options: readonly Item[], attributes: Attributes): Control {
  if (type === 'textarea')
    return element('textarea', { ...attributes, rows: 3, maxlength: VALUE_CHARACTERS_MAX });
  if (type === 'select') {
    const choices = options.map(({ id, label }) => element('option', { value: id }, label));
    return element('select', attributes, element('option', { value: '' }), ...choices);
  }
  if (type === 'checkbox') return element('input', { ...attributes, type: 'checkbox' });
  const known = INPUT_TYPES.find(name => name === type) ?? 'text';
  return element('input', { ...attributes, type: known, maxlength: VALUE_CHARACTERS_MAX });
}

/** Shows the error, if there is one, next to the field. */
function check({ input, row }: Field): boolean {
  const isValid = input.checkValidity();
  input.setAttribute('aria-invalid', `${!isValid}`);
  row.querySelector('.error')!.textContent = input.validationMessage;
  return isValid;
}

function answerOf(input: Control): string | number | boolean {
  if (!(input instanceof HTMLInputElement)) return input.value;
  if (input.type === 'checkbox') return input.checked;
  return input.type === 'number' && input.value !== '' ? input.valueAsNumber : input.value;
}
