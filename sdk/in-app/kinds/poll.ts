// A question with given answers, of which one or, with `multiple`, several are chosen.

import { choice, form } from './choice.ts';
import type { Kind } from './kind.ts';

export const poll: Kind = {
  place: 'bottom',
  build: (content, { feedback, words, thank }) => {
    const options = content.items(content.fields.options ?? content.fields.choices);
    if (options.length === 0 || (content.title === '' && content.text === '')) return undefined;
    const isMultiple = content.fields.multiple === true;
    const question = choice(
      options.map(({ id, label }) => ({ value: id, label })),
      { className: 'options', isMultiple, labelledBy: content.title === '' ? 'text' : 'title' },
    );
    const submit = () => {
      const ids = question.chosen();
      const [first] = options.filter(({ id }) => ids.includes(id));
      if (first === undefined) return question.complain(words.choose);
      const one = { option_id: first.id, option: first.label };
      feedback.answered(isMultiple ? { option_ids: ids } : one);
      thank(content.short('thanks', 'thank_you') || words.thanks);
    };
    return [form(content.button || words.send, submit, question.element)];
  },
};
