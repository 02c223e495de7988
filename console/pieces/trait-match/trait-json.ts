// Between a comparison as the API takes it and the form.

import {
  TRAIT_OPERATORS,
  type TraitDraft,
  type TraitOperator,
  takesValue,
  typesOf,
  type ValueType,
} from './trait-draft.ts';

/** Only for a draft without faults. */
export function jsonOfTrait({ trait, operator, type, values }: TraitDraft): unknown {
  const name = trait.trim();
  if (operator === 'known' || operator === 'unknown')
    return { trait: name, operator: 'exists', value: operator === 'known' };
  const typed = values.map(value => {
    if (type === 'number') return Number(value);
    return type === 'boolean' ? value === 'true' : value;
  });
  return { trait: name, operator, value: operator === 'in' ? typed : typed[0] };
}

/** Undefined if it is no comparison, or its values have several types. */
export function traitOfJson(given: unknown): TraitDraft | undefined {
  const { trait, operator, value } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof trait !== 'string') return undefined;
  const same = { kind: 'trait', trait } as const;
  if (operator === 'exists')
    return typeof value === 'boolean'
      ? { ...same, operator: value ? 'known' : 'unknown', type: 'text', values: [] }
      : undefined;
  if (!isOperator(operator) || Array.isArray(value) !== (operator === 'in')) return undefined;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const types = new Set(values.map(one => typeOf(one, operator)));
  const [type] = types;
  if (types.size !== 1 || type === undefined) return undefined;
  return { ...same, operator, type, values: values.map(String) };
}

/** Undefined if the API has no such operator, or its value belongs to the words. */
export function operatorInWords(operator: unknown): string | undefined {
  return isOperator(operator) ? TRAIT_OPERATORS[operator] : undefined;
}

function isOperator(value: unknown): value is Exclude<TraitOperator, 'known' | 'unknown'> {
  return (
    typeof value === 'string' &&
    takesValue(value as TraitOperator) &&
    Object.hasOwn(TRAIT_OPERATORS, value)
  );
}

function typeOf(value: unknown, operator: TraitOperator): ValueType | undefined {
  const types = typesOf(operator);
  if (typeof value === 'string') return types.includes('time') ? 'time' : 'text';
  const type = typeof value as ValueType;
  return types.includes(type) ? type : undefined;
}
