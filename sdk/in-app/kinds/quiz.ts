// Questions that are asked one after the other. If the campaign defines the correct answers,
// the points are counted and shown at the end.

import { element } from '../element.ts';
import type { Content, Item } from '../read-content.ts';
import { type Choice, choice, form } from './choice.ts';
import type { Kind, Tools } from './kind.ts';

type Question = Item & {
  readonly options: readonly Item[];
  readonly correctId: string | undefined;
};

export const quiz: Kind = {
  place: 'dialog',
  build: (content, tools) => {
    const questions = questionsOf(content);
    const isComplete = questions.every(({ options }) => options.length > 1);
    if (questions.length === 0 || !isComplete) return undefined;
    const body = element('div');
    const answers: Record<string, string> = {};
    const ask = (at: number, isFirst: boolean) => {
      const question = questions[at];
      if (question === undefined) return finish(content, tools, questions, answers);
      tools.feedback.atStep(question.id);
      const asked = questionView(question);
      const submit = () => {
        const [chosen] = asked.choice.chosen();
        if (chosen === undefined) return asked.choice.complain(tools.words.choose);
        answers[question.id] = chosen;
        ask(at + 1, false);
      };
      const label = at + 1 < questions.length ? tools.words.next : tools.words.send;
      body.replaceChildren(form(label, submit, asked.title, asked.choice.element));
      if (!isFirst) asked.title.focus();
    };
    ask(0, true);
    return [body];
  },
};

/** A quiz with a single question may have it in the content itself. */
function questionsOf(content: Content): readonly Question[] {
  const { fields, title } = content;
  const listed = content.items(fields.questions);
  const items = listed.length === 0 && title !== '' ? [{ id: '1', label: title, fields }] : listed;
  return items.map(item => {
    const options = content.items(item.fields.options ?? item.fields.answers);
    return { ...item, options, correctId: correctIdOf(item, options) };
  });
}

/** The correct option is named by the question, by ID or position, or marked on the option itself. */
function correctIdOf({ fields }: Item, options: readonly Item[]): string | undefined {
  const named = fields.correct ?? fields.correct_id;
  const marked = options.find(
    ({ fields }) => fields.correct === true || fields.is_correct === true,
  );
  if (typeof named === 'number') return options[named]?.id;
  return typeof named === 'string' ? named : marked?.id;
}

function questionView({ label, options }: Question): { title: HTMLElement; choice: Choice } {
  const attributes = { id: 'question', class: 'question', tabindex: -1, dir: 'auto' };
  return {
    title: element('p', attributes, label),
    choice: choice(
      options.map(option => ({ value: option.id, label: option.label })),
      { className: 'options', labelledBy: 'question' },
    ),
  };
}

function finish(
  content: Content,
  { feedback, words, thank }: Tools,
  questions: readonly Question[],
  answers: Readonly<Record<string, string>>,
): void {
  const scored = questions.filter(({ correctId }) => correctId !== undefined);
  const score = scored.filter(({ id, correctId }) => answers[id] === correctId).length;
  const needed = content.number('pass_score', 'passing_score');
  feedback.answered({
    answers,
    ...(scored.length > 0 && { score }),
    ...(scored.length > 0 && needed !== undefined && { passed: score >= needed }),
  });
  const thanks = content.short('thanks', 'thank_you') || words.thanks;
  thank(scored.length > 0 ? `${thanks} ${words.of(score, scored.length)}` : thanks);
}
