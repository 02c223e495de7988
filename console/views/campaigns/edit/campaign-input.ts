// A campaign as its form holds it, and as the API takes it.

import type { CampaignType } from '../../../pieces/campaign-types.ts';
import { jsonFault } from '../../../pieces/JsonField.tsx';
import type { Campaign } from '../campaign-query.ts';
import {
  type AudienceDraft,
  audienceDraftOf,
  EVERYBODY,
  givenAudience,
} from './audience/audience-draft.ts';
import { type ContentDraft, contentDraftOf, contentFault } from './content-draft.ts';
import { givenVariant, type VariantDraft, variantDraftOf, variantFault } from './variant-draft.ts';

export type Draft = {
  readonly name: string;
  readonly type: CampaignType;
  readonly surfaces: readonly string[];
  readonly priority: number;
  /** As an input of type datetime-local has it; empty is none. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly consentPurpose: string;
  readonly endsOn: readonly ('CLICKED' | 'DISMISSED')[];
  readonly isCapExempt: boolean;
  readonly caps: Campaign['caps'];
  readonly content: ContentDraft;
  readonly audience: AudienceDraft;
  readonly variants: readonly VariantDraft[];
};

export type CampaignInput = ReturnType<typeof inputOf>;

const NO_CAPS = { totalMax: null, windowMax: null, windowSeconds: null, intervalSecondsMin: null };

export function draftOf(campaign: Campaign | undefined): Draft {
  if (campaign === undefined)
    return {
      name: '',
      type: 'BANNER',
      surfaces: [],
      priority: 0,
      startsAt: '',
      endsAt: '',
      consentPurpose: 'marketing',
      endsOn: ['CLICKED', 'DISMISSED'],
      isCapExempt: false,
      caps: NO_CAPS,
      content: contentDraftOf({}),
      audience: EVERYBODY,
      variants: [],
    };
  const { content, audience, variants, startsAt, endsAt, caps } = campaign;
  return {
    ...campaign,
    // Without what GraphQL adds, which the API would not take back.
    caps: {
      totalMax: caps.totalMax,
      windowMax: caps.windowMax,
      windowSeconds: caps.windowSeconds,
      intervalSecondsMin: caps.intervalSecondsMin,
    },
    startsAt: inLocal(startsAt),
    endsAt: inLocal(endsAt),
    content: contentDraftOf(content),
    audience: audienceDraftOf(audience),
    variants: variants.map(variantDraftOf),
  };
}

/** Only for a valid draft. */
export function inputOf(draft: Draft) {
  return {
    name: draft.name,
    type: draft.type,
    surfaces: [...draft.surfaces],
    priority: draft.priority,
    startsAt: inInstant(draft.startsAt),
    endsAt: inInstant(draft.endsAt),
    consentPurpose: draft.consentPurpose,
    endsOn: [...draft.endsOn],
    isCapExempt: draft.isCapExempt,
    caps: draft.caps,
    content: draft.content.content,
    audience: givenAudience(draft.audience),
    variants: draft.variants.map(givenVariant),
  };
}

/** Whether a text is invalid JSON. Its field shows the error while the text is edited. */
export function hasJsonFault({ content, audience, variants }: Draft): boolean {
  return (
    jsonFault(audience.json ?? '') !== undefined ||
    [content, ...variants.map(one => one.content)].some(one => one && contentFault(one))
  );
}

export function isComplete({ audience, variants }: Draft): boolean {
  const areSound = variants.every((_, at) => variantFault(variants, at) === undefined);
  return areSound && givenAudience(audience) !== undefined;
}

const MINUTE_MS = 60_000;

/** In the viewer's time zone, to the minute. */
function inLocal(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

function inInstant(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}
