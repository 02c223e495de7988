import { inJson, jsonFault, jsonOf } from '../../../pieces/JsonField.tsx';
import { isComplete, NEW_RULE, type RuleDraft } from '../rule/rule-draft.ts';
import { jsonOfRule, ruleOfJson } from '../rule/rule-json.ts';
import type { Segment } from '../segment-query.ts';

export type SegmentDraft = {
  readonly name: string;
  /** That the draft is based on; 0 for a new segment. */
  readonly version: number;
  readonly rule: RuleDraft;
  /** Instead of `rule`, where the form has no fields for it or the user prefers it. */
  readonly json: string | null;
};

export const NEW_DRAFT: SegmentDraft = { name: '', version: 0, rule: NEW_RULE, json: null };

export function draftOf({ name, version, rule }: Segment): SegmentDraft {
  const found = ruleOfJson(rule);
  return { name, version, rule: found ?? NEW_RULE, json: found ? null : inJson(rule) };
}

/** The rule as the API takes it; undefined while it is not complete. */
export function givenRule({ rule, json }: SegmentDraft): unknown {
  if (json === null) return isComplete(rule) ? jsonOfRule(rule) : undefined;
  return jsonFault(json) === undefined ? (jsonOf(json) ?? undefined) : undefined;
}

export function isChanged<Part>(now: Part, before: Part): boolean {
  return JSON.stringify(now) !== JSON.stringify(before);
}
