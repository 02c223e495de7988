import { hash } from 'node:crypto';
import type { ActiveCampaign } from '../../ingest/accept/active-campaign.contract.ts';
import { evenly } from './evenly.ts';

type Shown = Pick<ActiveCampaign, 'name' | 'variant_id'>;

const RATE_MIN = 0.08;
const RATE_SPREAD = 0.3;

/**
 * The reactions of people to campaigns. Each variant of each campaign has its own rates, including
 * campaigns created while the shop is open; the rates are deterministic instead of random.
 */
export class Moods {
  readonly #shown = new Map<string, number>();

  deedOn({ name, variant_id }: Shown): 'clicked' | 'dismissed' | undefined {
    const key = `${name}/${variant_id ?? ''}`;
    const count = (this.#shown.get(key) ?? 0) + 1;
    this.#shown.set(key, count);
    const mood = evenly(count);
    const [clicks, dismissals] = ratesOf(key);
    if (mood < clicks) return 'clicked';
    return mood > 1 - dismissals ? 'dismissed' : undefined;
  }
}

/** Derived from the name, so that they are always the same. */
function ratesOf(key: string): readonly [clicks: number, dismissals: number] {
  const digest = hash('sha256', key, 'buffer');
  const rate = (byte: number) => RATE_MIN + (RATE_SPREAD * byte) / 255;
  return [rate(digest[0]!), rate(digest[1]!)];
}
