// GET /v1/in-app/active: the campaigns and widgets to show a person. Campaigns are in memory. The
// person is read from Postgres, in one statement for all concurrent requests of the node. Without a
// person, the response contains the campaigns that are open to everyone and needs no read.

import {
  type Gated,
  selectCampaigns,
  toViewer,
  type Viewer,
} from '../../schema/campaign/campaign-gates.ts';
import { parsePerson, type QueuedWidget } from '../../schema/campaign/read-person.ts';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { TEXT_CHARACTERS_MAX } from '../../schema/values/text.ts';
import { activeCampaignJson, type CampaignBook } from '../campaigns/campaign-book.ts';
import type { ThreadDatabase } from '../postgres/thread-database.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { switchedOffRefusal, UNAVAILABLE } from './cell-refusal.ts';
import type { Incoming } from './incoming.ts';
import { getEndpoint, type SdkEndpointDeps } from './sdk-endpoint.ts';
import type { Endpoint } from './server.ts';

export type ActiveEndpointDeps = SdkEndpointDeps & {
  readonly campaigns: CampaignBook;
  readonly database: Pick<ThreadDatabase, 'ask'>;
};

/** More than any screen can show; bounds the response. */
const SHOWN_MAX = 50;
/** A cache could show the response to another person or after a campaign has ended. */
const NO_STORE = [['Cache-Control', 'no-store']] as const;

export function activeEndpoint(deps: ActiveEndpointDeps): Endpoint {
  const { campaigns, database } = deps;
  const choose = (viewer: Viewer, widgets: readonly Showable[], workspaceId: string) => {
    const { shown } = selectCampaigns([...widgets, ...campaigns.ofWorkspace(workspaceId)], viewer);
    return shown.slice(0, SHOWN_MAX).map(({ jsonFor }) => jsonFor(viewer.person?.userId));
  };
  const find = async ({ incoming, account, receivedAtMs: nowMs }: SdkRequest) => {
    const { contactId, userId } = incoming;
    const { workspaceId } = account;
    const surface = surfaceOf(incoming.query);
    if (contactId === '' && userId === '')
      return choose(toViewer(undefined, surface, nowMs, NO_CAPS), [], workspaceId);
    const question = { workspaceId, contactId, userId, nowMs };
    // Undefined if the workspace was deleted and its keys are still in the directory.
    const known = parsePerson(await database.ask('read-persons', question));
    const viewer = toViewer(known?.person, surface, nowMs, known?.caps ?? NO_CAPS);
    return choose(viewer, known?.widgets.map(toShowable) ?? [], workspaceId);
  };
  return getEndpoint(deps, {
    refusal: account =>
      switchedOffRefusal(account) ?? (campaigns.isComplete ? undefined : UNAVAILABLE),
    work: async request => {
      const refused = checkHeaders(request.incoming);
      if (refused !== undefined) return refused;
      return { json: `[${(await find(request)).join(',')}]`, headers: NO_STORE };
    },
  });
}

type Showable = Gated & { readonly jsonFor: (userId: string | undefined) => string };

const NO_CAPS = { dailyMax: null, intervalSecondsMin: null };

/** Undefined, which includes all surfaces, if the parameter is absent or empty. */
function surfaceOf(query: string): string | undefined {
  return (query && new URLSearchParams(query).get('current_surface')) || undefined;
}

/**
 * uWebSockets.js drops NUL and similar characters, and treats non-ASCII characters at either end of
 * a header as whitespace, so IDs should be ASCII.
 */
function checkHeaders({ contactId, userId }: Incoming): Problem | undefined {
  for (const [name, value] of [
    ['X-Contact-ID', contactId],
    ['X-User-ID', userId],
  ] as const)
    if (value.length > TEXT_CHARACTERS_MAX && Array.from(value).length > TEXT_CHARACTERS_MAX)
      return problem('FIELD_TOO_LONG', `${name} is longer than ${TEXT_CHARACTERS_MAX} characters.`);
  return undefined;
}

/**
 * Audience and caps of a widget were checked when its journey queued it. It ends by its own state.
 */
function toShowable(widget: QueuedWidget): Showable {
  const { id, surfaces, priority, consentPurpose, isCapExempt, expiresAtMs } = widget;
  return {
    id,
    status: 'LIVE',
    surfaces,
    priority,
    startsAtMs: null,
    endsAtMs: expiresAtMs,
    consentPurpose,
    endsOn: [],
    caps: { totalMax: null, windowMax: null, windowSeconds: null, intervalSecondsMin: null },
    isCapExempt,
    createdAtMs: widget.queuedAtMs,
    isFor: undefined,
    jsonFor: () => activeCampaignJson({ ...widget, stepExecutionId: id }),
  };
}
