import { CONTENT_BYTES_MAX } from './campaign.ts';

/** The size of a few variants with maximum content, or of all variants with small content. Ingest
 * skips larger campaigns. */
export const CAMPAIGN_BYTES_MAX = 4 * CONTENT_BYTES_MAX;

/** The counted size, as an SQL expression on a row named `campaign`. */
export const CAMPAIGN_BYTES = `octet_length(campaign.content::text)
  + octet_length(campaign.variants::text) + coalesce(octet_length(campaign.audience::text), 0)
  + octet_length(campaign.surfaces::text) + octet_length(campaign.name)`;
