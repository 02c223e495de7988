// Lists the responses to an in-app campaign, newest first.

import type { Context } from '../platform/context.ts';
import type { Page } from '../platform/database/page.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import { encodeCursor, type ListInput, listPage } from '../platform/warehouse/keyset.ts';

export type CampaignResponse = {
  readonly receivedAtMs: number;
  readonly responseType: string;
  readonly responseKey: string;
  readonly userId: string;
  readonly contactId: string;
  readonly platform: string;
  /** Empty if the campaign has no variants. */
  readonly variantId: string;
  readonly score: number | null;
  /** JSON text. */
  readonly payload: string;
};

export async function campaignResponses(
  context: Context,
  input: ListInput & { readonly campaignId: string },
): Promise<Page<CampaignResponse>> {
  const { campaignId } = input;
  requireText(campaignId);
  return listPage<CampaignResponse>(context, input, {
    columns: `toUnixTimestamp64Milli(received_at) AS received_at_ms, response_type, response_key,
      user_id, contact_id, platform, variant_id, score, payload`,
    view: 'in_app_responses',
    order: ['received_at', 'response_type', 'response_key', 'user_id', 'contact_id'],
    conditions: 'AND campaign_id = {campaignId:String}',
    parameters: { campaignId },
  });
}

export function responseCursor(response: CampaignResponse): string {
  const { receivedAtMs, responseType, responseKey, userId, contactId } = response;
  return encodeCursor({ atMs: receivedAtMs, keys: [responseType, responseKey, userId, contactId] });
}
