// A campaign as GET /v1/in-app/active returns it. Everything received is checked here.

/** An element of the array returned by GET /v1/in-app/active, with the names of the contract. */
export type ActiveCampaign = {
  readonly campaign_id: string;
  readonly name: string;
  readonly type: string;
  readonly surfaces: readonly string[];
  readonly content: Readonly<Record<string, unknown>>;
  readonly priority: number;
  readonly variant_id: string | null;
  readonly expires_at: string | null;
  readonly journey_step_execution_id?: string;
};

/** Undefined if a part is missing without which the campaign can neither be shown nor reported. */
export function readCampaign(value: unknown): ActiveCampaign | undefined {
  if (!isRecord(value)) return undefined;
  const { campaign_id, type, content, journey_step_execution_id: stepId } = value;
  if (!isName(campaign_id) || !isName(type) || !isRecord(content)) return undefined;
  return {
    campaign_id,
    name: typeof value.name === 'string' ? value.name : '',
    type,
    surfaces: Array.isArray(value.surfaces) ? value.surfaces.filter(isName) : [],
    content,
    priority: typeof value.priority === 'number' ? value.priority : 0,
    variant_id: isName(value.variant_id) ? value.variant_id : null,
    expires_at: isName(value.expires_at) ? value.expires_at : null,
    ...(isName(stepId) && { journey_step_execution_id: stepId }),
  };
}

/** A campaign can be queued by several journeys, each as a widget of its own. */
export function keyOf(campaign: ActiveCampaign): string {
  return campaign.journey_step_execution_id ?? campaign.campaign_id;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
