// Between the rule of the API and the form. Undefined where the form has no fields for a part of it.

import { jsonOfTrait, traitOfJson } from '../../../pieces/trait-match/trait-json.ts';
import { eventOfRest, restOf } from './rest-event.ts';
import type { ConditionDraft, EventCondition, RuleDraft } from './rule-draft.ts';

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
  if ('trait' in value) return traitOfJson(value);
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
