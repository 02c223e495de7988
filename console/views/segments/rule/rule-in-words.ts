// A rule as people say it, for example “did Order Completed at least 2 times in 30 days and plan is pro”.

import { eventInWords } from '../../../pieces/event-match/event-draft.ts';
import { inCount } from '../../../pieces/in-words.ts';
import { traitInWords } from '../../../pieces/trait-match/trait-draft.ts';
import { type ConditionDraft, type EventCondition, FREQUENCIES } from './rule-draft.ts';
import { ruleOfJson } from './rule-json.ts';

export function ruleInWords(rule: unknown): string {
  const words = wordsOf(rule, false);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function wordsOf(rule: unknown, isWithin: boolean): string {
  const node = (rule ?? {}) as Readonly<Record<string, unknown>>;
  for (const joiner of ['and', 'or'] as const) {
    const parts = node[joiner];
    if (!Array.isArray(parts)) continue;
    const words = parts.map(part => wordsOf(part, true)).join(` ${joiner} `);
    return isWithin && parts.length > 1 ? `(${words})` : words;
  }
  const condition = ruleOfJson(rule)?.conditions[0];
  if (condition !== undefined) return conditionInWords(condition);
  if ('not' in node) return `not (${wordsOf(node.not, false)})`;
  return JSON.stringify(rule);
}

function conditionInWords(condition: ConditionDraft): string {
  return condition.kind === 'event' ? eventConditionInWords(condition) : traitInWords(condition);
}

function eventConditionInWords({ event, frequency, count, days }: EventCondition): string {
  const name = eventInWords(event);
  const time = days === 1 ? 'in the last day' : `in the last ${inCount(Number(days))} days`;
  if (frequency === 'never') return `did not do ${name} ${time}`;
  const times = count === 1 ? 'once' : `${inCount(Number(count))} times`;
  return `did ${name} ${FREQUENCIES[frequency]} ${times} ${time}`;
}
