// The live campaigns of a worker thread: grouped by workspace, compiled, with the JSON of each
// variant written once, so that a response only evaluates gates and joins strings.

import type { Campaign, Variant } from '../../schema/campaign/campaign.ts';
import { compareForDisplay, type Gated, toGated } from '../../schema/campaign/campaign-gates.ts';
import { chooseVariant } from '../../schema/campaign/choose-variant.ts';
import type { CampaignChanges, LiveCampaign } from './follow-campaigns.ts';

type PreparedCampaign = Gated & {
  /** The campaign's element of the response, for this person or for an unknown person. */
  readonly jsonFor: (userId: string | undefined) => string;
};

type Entry = {
  readonly workspaceId: string;
  readonly prepared: PreparedCampaign;
  readonly variants: readonly Variant<unknown>[];
};

export class CampaignBook {
  readonly #byId = new Map<string, Entry>();
  readonly #idsByWorkspace = new Map<string, Set<string>>();
  /** In display order; created on first use. */
  readonly #lists = new Map<string, readonly PreparedCampaign[]>();
  #isComplete = false;

  /** Whether all live campaigns have been received. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  apply({ live, gone, isComplete }: CampaignChanges): void {
    for (const id of gone) this.#remove(id);
    for (const campaign of live) {
      // A campaign never moves to another workspace, but the database may be another one.
      this.#remove(campaign.id);
      this.#add(campaign);
    }
    this.#isComplete ||= isComplete;
  }

  ofWorkspace(workspaceId: string): readonly PreparedCampaign[] {
    const known = this.#lists.get(workspaceId);
    if (known !== undefined) return known;
    const ids = this.#idsByWorkspace.get(workspaceId);
    if (ids === undefined) return [];
    const list = [...ids].map(id => this.#byId.get(id)!.prepared).sort(compareForDisplay);
    this.#lists.set(workspaceId, list);
    return list;
  }

  /** The variant shown to the person; empty if the campaign has none or is not live. */
  variantOf(workspaceId: string, campaignId: string, userId: string): string {
    const entry = this.#byId.get(campaignId);
    if (entry?.workspaceId !== workspaceId) return '';
    return chooseVariant(campaignId, entry.variants, userId || undefined)?.id ?? '';
  }

  #add(campaign: LiveCampaign): void {
    const { id, workspaceId } = campaign;
    const variants = campaign.variants.map(({ id, weight }) => ({ id, weight }));
    this.#byId.set(id, { workspaceId, prepared: prepare(campaign), variants });
    const ids = this.#idsByWorkspace.get(workspaceId);
    if (ids === undefined) this.#idsByWorkspace.set(workspaceId, new Set([id]));
    else ids.add(id);
    this.#lists.delete(workspaceId);
  }

  #remove(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    const { workspaceId } = entry;
    const ids = this.#idsByWorkspace.get(workspaceId)!;
    ids.delete(id);
    if (ids.size === 0) this.#idsByWorkspace.delete(workspaceId);
    this.#byId.delete(id);
    this.#lists.delete(workspaceId);
  }
}

function prepare(campaign: LiveCampaign): PreparedCampaign {
  const { id } = campaign;
  const versions = campaign.variants.map(variant => ({
    weight: variant.weight,
    json: toJson(campaign, variant),
  }));
  const ownJson = toJson(campaign, undefined);
  return {
    ...toGated(campaign),
    jsonFor: userId => chooseVariant(id, versions, userId)?.json ?? ownJson,
  };
}

function toJson(campaign: Campaign<string>, variant: Variant<string> | undefined): string {
  return activeCampaignJson({
    campaignId: campaign.id,
    name: campaign.name,
    type: campaign.type,
    surfaces: campaign.surfaces,
    content: variant?.content ?? campaign.content,
    priority: campaign.priority,
    variantId: variant?.id ?? null,
    expiresAtMs: campaign.endsAtMs,
  });
}

export type ActiveCampaign = {
  readonly campaignId: string;
  readonly name: string;
  readonly type: string;
  readonly surfaces: readonly string[];
  /** As JSON. */
  readonly content: string;
  readonly priority: number;
  readonly variantId: string | null;
  readonly expiresAtMs: number | null;
  /** The campaign of the journey that queued the widget. */
  readonly stepExecutionId?: string;
};

/** An element of the response (ingest/accept/active-campaign.contract.ts). */
export function activeCampaignJson(campaign: ActiveCampaign): string {
  const before = JSON.stringify({
    campaign_id: campaign.campaignId,
    name: campaign.name,
    type: campaign.type,
    surfaces: campaign.surfaces,
  });
  const after = JSON.stringify({
    priority: campaign.priority,
    variant_id: campaign.variantId,
    expires_at: isoOrNull(campaign.expiresAtMs),
    journey_step_execution_id: campaign.stepExecutionId,
  });
  return `${before.slice(0, -1)},"content":${campaign.content},${after.slice(1)}`;
}

/** Null also for a time beyond the range of Date. */
function isoOrNull(ms: number | null): string | null {
  return ms === null || Math.abs(ms) > INSTANT_MAX_MS ? null : new Date(ms).toISOString();
}

/** The range of Date (ECMA-262, 21.4.1.1). */
const INSTANT_MAX_MS = 8.64e15;
