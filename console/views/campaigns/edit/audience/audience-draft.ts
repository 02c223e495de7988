// The audience of a campaign as the form edits it: conditions, of which all or any must be met. An
// audience that is nested deeper is edited as JSON.

import { inJson, jsonFault, jsonOf } from '../../../../pieces/JsonField.tsx';
import { type TraitDraft, traitFault } from '../../../../pieces/trait-match/trait-draft.ts';
import { jsonOfTrait, traitOfJson } from '../../../../pieces/trait-match/trait-json.ts';

export type AudienceDraft = {
  readonly joiner: 'and' | 'or';
  /** None is everybody. */
  readonly conditions: readonly AudienceCondition[];
  /** Instead of the conditions, where the form has no fields for them or the user prefers it. */
  readonly json: string | null;
};

export type AudienceCondition = TraitDraft | SegmentCondition;

export type SegmentCondition = {
  readonly kind: 'segment';
  /** Its `audienceId`; empty until one is chosen. */
  readonly segmentId: string;
  readonly isMember: boolean;
};

export const EVERYBODY: AudienceDraft = { joiner: 'and', conditions: [], json: null };
export const NEW_SEGMENT_CONDITION: SegmentCondition = {
  kind: 'segment',
  segmentId: '',
  isMember: true,
};
/** The maximum of the API. */
export const CONDITIONS_MAX = 100;

export function audienceDraftOf(audience: unknown): AudienceDraft {
  return conditionsOf(audience) ?? { ...EVERYBODY, json: inJson(audience) };
}

/** Undefined if the form has no fields for a part of it. */
export function conditionsOf(audience: unknown): AudienceDraft | undefined {
  if (audience === null) return EVERYBODY;
  if (typeof audience !== 'object') return undefined;
  const joiner = 'or' in audience ? 'or' : 'and';
  const given = (audience as Readonly<Record<string, unknown>>)[joiner];
  const parts: unknown[] = Array.isArray(given) ? given : [audience];
  const conditions = parts.flatMap(part => conditionOf(part) ?? []);
  return conditions.length === parts.length ? { joiner, conditions, json: null } : undefined;
}

function conditionOf(part: unknown): AudienceCondition | undefined {
  const trait = traitOfJson(part);
  if (trait !== undefined) return trait;
  const { segment_id: id, not } = (part ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof id === 'string') return { kind: 'segment', segmentId: id, isMember: true };
  const { segment_id: excluded } = (not ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof excluded !== 'string') return undefined;
  return { kind: 'segment', segmentId: excluded, isMember: false };
}

/** As the API takes it; undefined while it is not complete. */
export function givenAudience({ joiner, conditions, json }: AudienceDraft): unknown {
  if (json !== null) return jsonFault(json) === undefined ? jsonOf(json) : undefined;
  if (!conditions.every(isComplete)) return undefined;
  return conditions.length === 0 ? null : { [joiner]: conditions.map(jsonOfCondition) };
}

function isComplete(condition: AudienceCondition): boolean {
  return condition.kind === 'trait'
    ? traitFault(condition) === undefined
    : condition.segmentId !== '';
}

function jsonOfCondition(condition: AudienceCondition): unknown {
  if (condition.kind === 'trait') return jsonOfTrait(condition);
  const member = { segment_id: condition.segmentId };
  return condition.isMember ? member : { not: member };
}
