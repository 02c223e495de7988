// Between the rule of the API and the form. Undefined where the form has no fields for a part of it.

import { eventOfRest, restOf } from './rest-event.ts';
import {
  type ConditionDraft,
  type EventCondition,
  type RuleDraft,
  TRAIT_OPERATORS,
  type TraitCondition,
  type TraitOperator,
  type ValueType,
} from './rule-draft.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Only for a draft without faults. */
export function jsonOfRule({ joiner, conditions }: RuleDraft): unknown {
  return { [joiner]: conditions.map(jsonOfCondition) };
}

function jsonOfCondition(condition: ConditionDraft): unknown {
  return condition.kind === 'event' ? jsonOfEvent(condition) : jsonOfTrait(condition);
}

function jsonOfEvent({ event, frequency, count, days }: EventCondition): unknown {
  const counted = { event: restOf(event), within_days: days };
  if (frequency === 'never') return { not: counted };
  return { ...counted, [frequency === 'least' ? 'at_least' : 'at_most']: count };
}

function jsonOfTrait({ trait, operator, type, values }: TraitCondition): unknown {
  const name = trait.trim();
  if (operator === 'known' || operator === 'unknown')
    return { trait: name, operator: 'exists', value: operator === 'known' };
  const typed = values.map(value => {
    if (type === 'number') return Number(value);
    return type === 'boolean' ? value === 'true' : value;
  });
  return { trait: name, operator, value: operator === 'in' ? typed : typed[0] };
}

export function ruleOfJson(value: unknown): RuleDraft | undefined {
  if (!isFields(value)) return undefined;
  const joiner = 'or' in value ? 'or' : 'and';
  const parts = Array.isArray(value[joiner]) ? (value[joiner] as unknown[]) : [value];
  const conditions = parts.map(conditionOf);
  if (conditions.some(condition => condition === undefined)) return undefined;
  return { joiner, conditions: conditions as ConditionDraft[] };
}

function conditionOf(value: unknown): ConditionDraft | undefined {
  if (!isFields(value)) return undefined;
  if ('event' in value) return eventConditionOf(value);
  if ('trait' in value) return traitConditionOf(value);
  const inner = value.not;
  if (!isFields(inner) || !('event' in inner)) return undefined;
  const counted = eventConditionOf(inner);
  const isOnce = counted?.frequency === 'least' && counted.count === 1;
  return isOnce ? { ...counted, frequency: 'never' } : undefined;
}

const EVENT_FIELDS = new Set(['event', 'at_least', 'at_most', 'within_days']);

function eventConditionOf(value: Fields): EventCondition | undefined {
  const { at_least: least, at_most: most, within_days: days } = value;
  const event = eventOfRest(value.event);
  const isKnown = Object.keys(value).every(name => EVENT_FIELDS.has(name));
  const hasBoth = least !== undefined && most !== undefined;
  if (event === undefined || !isKnown || hasBoth || typeof days !== 'number') return undefined;
  if (most !== undefined)
    return { kind: 'event', event, frequency: 'most', count: Number(most), days };
  return { kind: 'event', event, frequency: 'least', count: Number(least ?? 1), days };
}

function traitConditionOf({ trait, operator, value }: Fields): TraitCondition | undefined {
  if (typeof trait !== 'string') return undefined;
  const same = { kind: 'trait', trait } as const;
  if (operator === 'exists')
    return { ...same, operator: value === true ? 'known' : 'unknown', type: 'text', values: [] };
  if (typeof operator !== 'string' || !(operator in TRAIT_OPERATORS)) return undefined;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const types = new Set(values.map(typeOf));
  const [type] = types;
  if (types.size !== 1 || type === undefined) return undefined;
  return { ...same, operator: operator as TraitOperator, type, values: values.map(String) };
}

function typeOf(value: unknown): ValueType | undefined {
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' || typeof value === 'boolean'
    ? (typeof value as 'number' | 'boolean')
    : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
