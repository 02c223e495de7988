import type { LiveFeeds } from './live/live-feeds.ts';

declare module '../platform/context.ts' {
  interface AppDeps {
    readonly live: LiveFeeds;
  }
}
