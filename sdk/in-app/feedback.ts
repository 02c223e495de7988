// Reports what a person does with one display of a campaign. Each report is sent once per display,
// with an idempotency key that belongs to the display, so that retries and repeated calls count
// once. Feedback on a widget of a journey goes to its ack path, so that the journey advances.

import type { ClientHost, Identity } from '../core/client-host.ts';
import type { ActiveCampaign } from './campaign.ts';
import type { TellFault } from './faults.ts';

/** The types of campaigns that have answers, which are also the types of responses. */
const RESPONSE_TYPES = ['nps', 'poll', 'quiz', 'rating', 'form', 'countdown'];

type Payload = Readonly<Record<string, unknown>>;

export type Feedback = {
  /** The message was added to the page. Reported for widgets of journeys only. */
  readonly served: () => void;
  /** The person can see it. */
  readonly shown: () => void;
  /** The person followed the link or button. Of a click and a dismissal, the first one counts. */
  readonly clicked: () => void;
  readonly dismissed: () => void;
  /** Sends the answer and counts as a click. */
  readonly answered: (payload: Payload) => void;
  /** Sends an answer that does not end the display. */
  readonly responded: (payload: Payload) => void;
  /** The current step of a display with several steps. Later reports contain it. */
  readonly atStep: (stepId: string) => void;
};

export type FeedbackDeps = {
  readonly host: Pick<ClientHost, 'report'>;
  readonly identity: Identity;
  readonly displayId: string;
  readonly tellFault: TellFault;
  /** Called at the first click, dismissal or answer. */
  readonly onEnd: () => void;
};

type Happened = 'served' | 'impression' | 'clicked' | 'dismissed';

export function createFeedback(campaign: ActiveCampaign, deps: FeedbackDeps): Feedback {
  const { host, onEnd } = deps;
  const done = new Set<Happened | 'end' | 'response'>();
  let stepId: string | undefined;
  const report = (happened: Happened) => {
    if (done.has(happened)) return;
    done.add(happened);
    const ackId = campaign.journey_step_execution_id;
    if (ackId !== undefined)
      host.report(`/v1/in-app/widgets/${ackId}/ack`, ackOf(campaign, happened, stepId));
    else if (happened !== 'served')
      host.report('/v1/in_app/events', eventOf(campaign, deps, happened, stepId));
  };
  const end = (happened: 'clicked' | 'dismissed') => {
    if (done.has('end')) return;
    done.add('end');
    report('impression');
    report(happened);
    onEnd();
  };
  const respond: Feedback['responded'] = payload => {
    if (done.has('response')) return;
    done.add('response');
    report('impression');
    if (!RESPONSE_TYPES.includes(campaign.type)) {
      deps.tellFault('NO_ANSWERS', `A campaign of type ${campaign.type} has no answers.`);
      return;
    }
    host.report('/api/v1/in_app/responses', responseOf(campaign, deps, payload));
  };
  return {
    served: () => report('served'),
    shown: () => report('impression'),
    clicked: () => end('clicked'),
    dismissed: () => end('dismissed'),
    responded: respond,
    answered(payload) {
      respond(payload);
      end('clicked');
    },
    atStep(id) {
      stepId = id;
    },
  };
}

function ackOf({ variant_id }: ActiveCampaign, happened: Happened, stepId: string | undefined) {
  return {
    action: happened === 'impression' ? 'viewed' : happened,
    ...(variant_id !== null && { variant_id }),
    ...(stepId !== undefined && { step_id: stepId }),
  };
}

function eventOf(
  { campaign_id, variant_id }: ActiveCampaign,
  { identity, displayId }: FeedbackDeps,
  happened: Happened,
  stepId: string | undefined,
) {
  return {
    campaign_id,
    event_type: happened,
    ...personOf(identity),
    platform: 'web',
    // Scoped to campaign, event type and person by the service.
    idempotency_key: displayId,
    ...(variant_id !== null && { variant_id }),
    ...(stepId !== undefined && { step_id: stepId }),
  };
}

function responseOf(
  { campaign_id, type, variant_id }: ActiveCampaign,
  { identity, displayId }: FeedbackDeps,
  payload: Payload,
) {
  return {
    campaign_id,
    response_type: type,
    platform: 'web',
    payload,
    ...personOf(identity),
    idempotency_key: displayId,
    ...(variant_id !== null && { variant_id }),
  };
}

function personOf({ userId, anonymousId }: Identity) {
  return { anonymous_id: anonymousId, ...(userId !== undefined && { user_id: userId }) };
}
