// Rules: conditions combined with {"and": […]}, {"or": […]} and {"not": {…}}. The user of a rule
// defines its conditions.

import { z } from 'zod';

export type Rule<Condition> =
  | Condition
  | { readonly and: readonly Rule<Condition>[] }
  | { readonly or: readonly Rule<Condition>[] }
  | { readonly not: Rule<Condition> };

export type Fault = { readonly path: (string | number)[]; readonly message: string };

type Limits = { readonly conditionsMax: number; readonly levelsMax: number };

type RuleOptions<Condition> = Limits & {
  /** The shapes of a condition, for messages. */
  readonly shapes: string;
  /** Undefined for a valid condition; null if the value has none of the shapes. */
  readonly faultOf: (value: object) => Fault | null | undefined;
  /** The errors of a rule whose conditions are valid. */
  readonly wholeFault?: (rule: Rule<Condition>) => string | undefined;
};

/** Returns a rule as it was given. */
export function ruleSchema<Condition>(options: RuleOptions<Condition>) {
  return z.unknown().transform((value, context): Rule<Condition> => {
    const faults: Fault[] = [];
    const conditions = check(value, { at: [], level: 1, faults, ...options });
    if (conditions > options.conditionsMax)
      faults.push({ path: [], message: `has more than ${options.conditionsMax} conditions.` });
    const wholeFault =
      faults.length > 0 ? undefined : options.wholeFault?.(value as Rule<Condition>);
    if (wholeFault !== undefined) faults.push({ path: [], message: wholeFault });
    for (const fault of faults) context.addIssue({ code: 'custom', ...fault });
    return value as Rule<Condition>;
  });
}

/** Compiles a rule that has passed its schema. */
export function compileRule<Condition extends object, Subject>(
  rule: Rule<Condition>,
  compileCondition: (condition: Condition) => (subject: Subject) => boolean,
): (subject: Subject) => boolean {
  const compile = (part: Rule<Condition>) => compileRule(part, compileCondition);
  if ('and' in rule) {
    const parts = rule.and.map(compile);
    return subject => parts.every(matches => matches(subject));
  }
  if ('or' in rule) {
    const parts = rule.or.map(compile);
    return subject => parts.some(matches => matches(subject));
  }
  if ('not' in rule) {
    const matches = compile(rule.not);
    return subject => !matches(subject);
  }
  return compileCondition(rule);
}

/** All conditions, from left to right. */
export function conditionsOf<Condition extends object>(rule: Rule<Condition>): Condition[] {
  if ('and' in rule) return rule.and.flatMap(conditionsOf<Condition>);
  if ('or' in rule) return rule.or.flatMap(conditionsOf<Condition>);
  return 'not' in rule ? conditionsOf(rule.not) : [rule];
}

type Check = Omit<RuleOptions<never>, 'wholeFault'> & {
  readonly at: Fault['path'];
  readonly level: number;
  readonly faults: Fault[];
};

/** Returns the number of conditions and appends any faults. */
function check(value: unknown, checking: Check): number {
  const { at, level, faults, conditionsMax, levelsMax, shapes } = checking;
  const fault = (message: string, inside: Fault['path'] = []) => {
    faults.push({ path: [...at, ...inside], message });
    return 0;
  };
  const noShape = () => fault(`must be ${shapes}, {"and": […]}, {"or": […]} or {"not": {…}}.`);
  if (faults.length > 0) return 0;
  if (level > levelsMax) return fault(`is nested deeper than ${levelsMax} levels.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return noShape();
  const keys = Object.keys(value);
  const joined = keys.length === 1 ? keys[0]! : '';
  const inner: unknown = (value as Record<string, unknown>)[joined];
  const deeper = (part: unknown, ...inside: Fault['path']) =>
    check(part, { ...checking, at: [...at, ...inside], level: level + 1 });
  if (joined === 'not') return deeper(inner, 'not');
  if (joined !== 'and' && joined !== 'or') {
    const found = checking.faultOf(value);
    if (found === undefined) return 1;
    return found === null ? noShape() : fault(found.message, found.path);
  }
  if (!Array.isArray(inner) || inner.length === 0 || inner.length > conditionsMax)
    return fault(`${joined} must be a list of 1 to ${conditionsMax} conditions.`);
  let conditions = 0;
  for (const [index, part] of inner.entries()) conditions += deeper(part, joined, index);
  return conditions;
}
