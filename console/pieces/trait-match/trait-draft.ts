// A comparison with a trait of a person, as the forms of segments and campaigns edit it.

export type TraitDraft = {
  readonly kind: 'trait';
  readonly trait: string;
  readonly operator: TraitOperator;
  readonly type: ValueType;
  /** Several only with `in`. */
  readonly values: readonly string[];
};

export const TRAIT_OPERATORS = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  in: 'is one of',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  known: 'is known',
  unknown: 'is not known',
} as const;

export type TraitOperator = keyof typeof TRAIT_OPERATORS;

export const VALUE_TYPES = {
  text: 'Text',
  number: 'Number',
  boolean: 'True or false',
  time: 'Date or time',
} as const;

export type ValueType = keyof typeof VALUE_TYPES;

export const NEW_TRAIT: TraitDraft = {
  kind: 'trait',
  trait: '',
  operator: 'eq',
  type: 'text',
  values: [],
};

const ORDERS: ReadonlySet<TraitOperator> = new Set(['gt', 'gte', 'lt', 'lte']);
/** As the API reads a time, which is in UTC if it names no zone. */
const TIME = /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

export const takesValue = (operator: TraitOperator) =>
  operator !== 'known' && operator !== 'unknown';

/** Only numbers and times have an order. */
export function typesOf(operator: TraitOperator): readonly ValueType[] {
  return ORDERS.has(operator) ? ['number', 'time'] : ['text', 'number', 'boolean'];
}

/** Keeps the values if their type suits the operator. */
export function withOperator(draft: TraitDraft, operator: TraitOperator): TraitDraft {
  const types = typesOf(operator);
  if (!takesValue(operator) || types.includes(draft.type)) return { ...draft, operator };
  return { ...draft, operator, type: types[0]!, values: [] };
}

type TraitFault = { readonly field: 'trait' | 'value'; readonly message: string };

export function traitFault({ trait, operator, type, values }: TraitDraft): TraitFault | undefined {
  if (trait.trim().split('.').includes('')) return { field: 'trait', message: 'Enter a trait' };
  if (!takesValue(operator)) return undefined;
  if (values.length === 0 || values.some(value => value === ''))
    return { field: 'value', message: 'Enter a value' };
  if (type === 'number' && !values.every(isNumber))
    return { field: 'value', message: 'Enter a number' };
  if (type === 'time' && !values.every(isTime))
    return { field: 'value', message: 'Enter a date or time, such as 2026-01-31' };
  return undefined;
}

function isNumber(value: string): boolean {
  return value.trim() !== '' && Number.isFinite(Number(value));
}

function isTime(value: string): boolean {
  return TIME.test(value) && !Number.isNaN(Date.parse(value));
}

/** For example “plan is pro”. */
export function traitInWords({ trait, operator, values }: TraitDraft): string {
  const words = `${trait} ${TRAIT_OPERATORS[operator]}`;
  return takesValue(operator) ? `${words} ${values.join(', ')}` : words;
}
