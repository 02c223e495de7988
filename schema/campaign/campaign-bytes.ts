import { CONTENT_BYTES_MAX } from './campaign.ts';

/** Content of some variants at its largest, or small content of all of them; ingest leaves larger
 * campaigns out. */
export const CAMPAIGN_BYTES_MAX = 4 * CONTENT_BYTES_MAX;

/** What counts, as an expression on a row called campaign. */
export const CAMPAIGN_BYTES = `octet_length(campaign.content::text)
  + octet_length(campaign.variants::text) + coalesce(octet_length(campaign.audience::text), 0)
  + octet_length(campaign.surfaces::text) + octet_length(campaign.name)`;
