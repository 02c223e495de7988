import type { Size } from '../Reach.tsx';
import { givenAudience } from './audience/audience-draft.ts';
import { useLiveReach } from './audience/use-live-reach.ts';
import type { Draft } from './campaign-input.ts';

/** Why nobody could see the campaign as it is in the form; undefined if somebody could. */
export function useWarning(draft: Draft): string | undefined {
  const { audience, consentPurpose } = draft;
  const reach = useLiveReach({ audience: givenAudience(audience), consentPurpose });
  const reasons = [
    !hasContent(draft) && 'It has no content, so it can’t be launched.',
    reach.isCurrent && reach.size && nobodyInWords(reach.size, reach.purpose),
  ].filter(Boolean);
  return reasons.length === 0 ? undefined : reasons.join(' ');
}

/** As the API checks it at the launch. */
function hasContent({ content, variants }: Draft): boolean {
  if (Object.keys(content.content).length > 0) return true;
  const seen = variants.filter(({ weight }) => Number(weight) > 0);
  return seen.length > 0 && seen.every(one => Object.keys(one.content?.content ?? {}).length > 0);
}

function nobodyInWords({ matching, consenting, examined }: Size, purpose: string) {
  if (examined === 0 || consenting > 0) return undefined;
  return matching === 0
    ? 'Nobody is in its audience.'
    : `Consent to ${purpose} lets nobody in its audience see it.`;
}
