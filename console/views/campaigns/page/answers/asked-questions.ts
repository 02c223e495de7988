// The questions of a campaign as its content has them, by the IDs that responses name. Our client
// reads the content in the same way: sdk/in-app/read-content.ts.

import { NAMES } from '../../../../pieces/in-app-content/content-fields.ts';
import type { Campaign } from '../../campaign-query.ts';

export type AskedQuestion = {
  /** Empty if the campaign asks a single question without an ID. */
  readonly id: string;
  readonly label: string;
  /** The labels of the answers by ID, in order. Undefined if people answer in their own words. */
  readonly options: ReadonlyMap<string, string> | undefined;
};

type Fields = Readonly<Record<string, unknown>>;
type Item = { readonly id: string; readonly label: string; readonly fields: Fields };

const LABELS = ['label', 'text', 'title', 'question', 'name'];
const STARS = 5;

/** Of all variants: the first one that has a question names it. */
export function questionsAsked({ type, content, variants }: Campaign): AskedQuestion[] {
  const contents = [content, ...variants.map(variant => variant.content)];
  const asked = new Map<string, AskedQuestion>();
  for (const fields of contents.filter(isFields))
    for (const question of questionsIn(type, fields))
      if (!asked.has(question.id)) asked.set(question.id, question);
  return [...asked.values()];
}

function questionsIn(type: Campaign['type'], fields: Fields): AskedQuestion[] {
  const label = textAt(fields, NAMES.title) ?? 'Question';
  return READERS[type]?.(fields, label) ?? [];
}

type Reader = (fields: Fields, label: string) => AskedQuestion[];

const READERS: Readonly<Partial<Record<Campaign['type'], Reader>>> = {
  POLL: (fields, label) => [
    { id: '', label, options: optionsOf(fields.options ?? fields.choices) },
  ],
  RATING: (fields, label) => [{ id: '', label, options: starsOf(fields) }],
  QUIZ: quizQuestions,
  FORM: fields => itemsOf(fields.fields).map(fieldQuestion),
};

/** A quiz with a single question may have it in the content itself. */
function quizQuestions(fields: Fields, label: string): AskedQuestion[] {
  const listed = itemsOf(fields.questions);
  return (listed.length === 0 ? [{ id: '1', label, fields }] : listed).map(item => ({
    id: item.id,
    label: item.label,
    options: optionsOf(item.fields.options ?? item.fields.answers),
  }));
}

const YES_NO: ReadonlyMap<string, string> = new Map([
  ['true', 'Yes'],
  ['false', 'No'],
]);

function fieldQuestion({ id, label, fields }: Item): AskedQuestion {
  const { name, type, options } = fields;
  return {
    id: typeof name === 'string' && name !== '' ? name : id,
    label,
    options: type === 'checkbox' ? YES_NO : type === 'select' ? optionsOf(options) : undefined,
  };
}

function starsOf({ max, stars, scale }: Fields): ReadonlyMap<string, string> {
  const count = Number([max, stars, scale].find(one => typeof one === 'number') ?? STARS);
  const each = Array.from({ length: Math.min(10, Math.max(2, count)) }, (_, at) => `${at + 1}`);
  return new Map(each.toReversed().map(star => [star, star]));
}

function optionsOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(itemsOf(value).map(({ id, label }) => [id, label]));
}

/** Texts, or objects with an ID and a label. */
function itemsOf(value: unknown): Item[] {
  return Array.isArray(value) ? value.flatMap((one, at) => itemOf(one, at) ?? []) : [];
}

function itemOf(value: unknown, at: number): Item | undefined {
  if (typeof value === 'string' || typeof value === 'number')
    return { id: `${value}`, label: `${value}`, fields: {} };
  if (!isFields(value)) return undefined;
  const label = textAt(value, LABELS);
  const ids = [value.id, value.value, value.name, at + 1];
  const id = ids.find(one => typeof one === 'number' || (typeof one === 'string' && one !== ''));
  return label === undefined ? undefined : { id: String(id), label, fields: value };
}

export function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function textAt(fields: Fields, names: readonly string[]): string | undefined {
  const values = names.map(name => fields[name]);
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}
