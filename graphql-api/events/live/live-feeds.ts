// The live feeds of this process, one per watched workspace. A feed starts with its first
// subscriber and stops with its last. A subscription ends at the latest when its token expires, or within
// seconds after its user was revoked or its organization closed.

import { Gauge } from 'prom-client';
import type { AppDeps } from '../../platform/context.ts';
import { workspaceOf } from '../../platform/permit.ts';
import { reject } from '../../platform/rejected.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { Feed } from './feed.ts';
import type { LiveFilter, LiveItem } from './live-item.ts';
import { Subscriber } from './subscriber.ts';

export type LiveFeeds = {
  /** Rejects if the viewer has no workspace, or if the workspace has too many subscriptions. */
  subscribe(viewer: Viewer | undefined, filter: LiveFilter): AsyncIterable<LiveItem>;
  /** Ends all current and future subscriptions. */
  stop(): Promise<void>;
};

/** The maximum per workspace and process, enough for a team with dashboards open. */
const SUBSCRIPTIONS_MAX = 20;
/** Limits how long a connection stays open. Clients subscribe again. */
const SUBSCRIPTION_MS_MAX = 60 * 60 * 1_000;

/** How often it is checked whether the viewer may still watch. */
const REFUSAL_INTERVAL_MS = 2_000;

export function createLiveFeeds(
  deps: Pick<AppDeps, 'config' | 'database' | 'clock' | 'log' | 'metrics' | 'refused'>,
): LiveFeeds {
  const { config, database, clock, log, refused } = deps;
  const feeds = new Map<string, Feed>();
  let isStopped = false;
  const watching = new Gauge({
    name: 'api_live_subscriptions',
    help: 'Number of open live views.',
    registers: [deps.metrics.registry],
  });

  function feedOf(organizationId: string, workspaceId: string): Feed {
    const known = feeds.get(workspaceId);
    if (known !== undefined) return known;
    const whose = { organizationId, workspaceId };
    const feed = new Feed({ database, clock, log, config }, whose);
    feeds.set(workspaceId, feed);
    feed.start();
    return feed;
  }

  return {
    subscribe(viewer, filter) {
      const workspaceId = workspaceOf(viewer);
      const { organizationId, tokenExpiresAtMs = Number.POSITIVE_INFINITY } = viewer!;
      const feed = feedOf(organizationId, workspaceId);
      if (feed.subscribers.size >= SUBSCRIPTIONS_MAX) return reject('TOO_MANY_LIVE_VIEWS');
      const subscriber = new Subscriber(filter, ended => {
        clearTimeout(timer);
        clearInterval(watch);
        watching.dec();
        feed.subscribers.delete(ended);
        if (feed.subscribers.size > 0) return;
        feeds.delete(workspaceId);
        feed.stop();
      });
      const leftMs = Math.min(tokenExpiresAtMs - Date.now(), SUBSCRIPTION_MS_MAX);
      const timer = setTimeout(() => subscriber.end(), Math.max(0, leftMs));
      const endIfRefused = async () => {
        if ((await refused.reasonFor(viewer!)) !== undefined) subscriber.end();
      };
      // Without Postgres, the feed has nothing to send either.
      const watch = setInterval(
        () => void endIfRefused().catch(() => undefined),
        REFUSAL_INTERVAL_MS,
      );
      watching.inc();
      feed.add(subscriber);
      if (isStopped) subscriber.end();
      return subscriber;
    },
    async stop() {
      isStopped = true;
      for (const feed of feeds.values()) feed.stop();
    },
  };
}
