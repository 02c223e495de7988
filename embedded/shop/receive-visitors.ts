// People see live campaigns and react to them or not, which fills the campaigns' funnels. A welcome
// push to new people triggers webhooks.

import type { ActiveCampaign } from '../../ingest/accept/active-campaign.contract.ts';
import { askIngest, type ShopDemo } from './ask.ts';
import { atPace } from './at-pace.ts';
import { type Customer, newCustomer, signUp } from './customers.ts';
import { Moods } from './moods.ts';
import type { Tally } from './tally.ts';

export type Visits = { readonly tally: Tally; readonly signal: AbortSignal };

const VISIT_MS = 1_000;
const VISITS_PER_CUSTOMER = 4;
/** Once there are too many people, the earliest ones stop visiting. */
const GUESTS_MAX = 6;
const PLATFORMS = ['web', 'ios', 'android'] as const;

/** Until the signal. */
export async function receiveVisitors(demo: ShopDemo, { tally, signal }: Visits): Promise<void> {
  const guests: Customer[] = [];
  let customers = 0;
  const moods = new Moods();
  const pace = { everyMs: VISIT_MS, signal, onUnanswered: () => tally.unanswered++ };
  await atPace(pace, async at => {
    if (guests.length < GUESTS_MAX || at % VISITS_PER_CUSTOMER === 0) {
      const customer = newCustomer(customers++);
      await signUp(demo, customer);
      await welcome(demo, customer);
      guests.push(customer);
      if (guests.length > GUESTS_MAX) guests.shift();
    }
    const { userId } = guests[at % guests.length]!;
    const campaigns = await askIngest<readonly ActiveCampaign[]>(demo, '/v1/in-app/active', {
      userId,
    });
    const platform = PLATFORMS[at % PLATFORMS.length]!;
    for (const campaign of campaigns) {
      // The widgets of journeys are not used, so that users can try them out.
      if (campaign.journey_step_execution_id !== undefined) continue;
      const report = reporter(demo, { userId, platform, campaign_id: campaign.campaign_id });
      await report('impression');
      tally.shown++;
      const deed = moods.deedOn(campaign);
      if (deed === undefined) continue;
      await report(deed);
      tally[deed]++;
    }
  });
}

type Report = {
  readonly userId: string;
  readonly platform: (typeof PLATFORMS)[number];
  readonly campaign_id: string;
};

function reporter(demo: ShopDemo, { userId, platform, campaign_id }: Report) {
  const visit = Date.now();
  return (event_type: 'impression' | 'clicked' | 'dismissed') => {
    const idempotency_key = `${userId}:${campaign_id}:${event_type}:${visit}`;
    const body = { campaign_id, event_type, user_id: userId, platform, idempotency_key };
    return askIngest(demo, '/v1/in_app/events', { body });
  };
}

async function welcome(demo: ShopDemo, { userId, plan }: Customer): Promise<void> {
  const report = (event_type: 'push.delivered' | 'push.clicked') =>
    askIngest(demo, '/v1/push/engagement', {
      body: {
        event_type,
        platform: 'android',
        property_id: demo.propertyId,
        message_id: `welcome-${userId}`,
        user_id: userId,
      },
    });
  await report('push.delivered');
  if (plan === 'pro') await report('push.clicked');
}
