import { nameInWords } from '../../pieces/sent-event/sent.ts';
import type { NamedCampaign } from '../../pieces/sent-event/use-campaigns.ts';
import type { Group } from './rejected-query.ts';

export function groupName(
  { endpoint, event }: Pick<Group, 'endpoint' | 'event'>,
  campaigns: ReadonlyMap<string, NamedCampaign>,
): string {
  return nameInWords({ endpoint, type: null, name: event }, campaigns);
}
