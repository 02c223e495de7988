// The clients that npm run test:clients runs, each with its setting for the address.

import { join } from 'node:path';
import { INSTALLED } from './install.ts';
import type { Program } from './run-program.ts';

export type Kind = 'track' | 'identify' | 'page' | 'screen' | 'group' | 'alias';

const KINDS: readonly Kind[] = ['track', 'identify', 'page', 'screen', 'group', 'alias'];
/** The browser clients of these vendors have no `screen` call, or one for apps only. */
const WEB_KINDS: readonly Kind[] = ['track', 'identify', 'page', 'group', 'alias'];
/** Jitsu's client has no `screen` and no `alias`. */
const JITSU_KINDS: readonly Kind[] = ['track', 'identify', 'page', 'group'];

type Common = {
  readonly name: string;
  readonly version: string;
  readonly from: 'npm' | 'python' | 'go';
  readonly kinds: readonly Kind[];
};

/** A program that reads HOST, WRITE_KEY and CALLS from its environment. */
export type ProgramClient = Common & { readonly command: Program };

/**
 * A script for a page, and the statement that makes the calls on it. A module is not loaded as a
 * script: the statement imports it from /client.js.
 */
export type PageClient = Common & {
  readonly script: string;
  readonly isModule?: true;
  readonly statement: string;
};

const driver = (name: string) => join(import.meta.dirname, 'drivers', name);
const python = (name: string): Program => [join(INSTALLED, 'python/venv/bin/python'), driver(name)];
const script = (path: string) => join(INSTALLED, 'npm/node_modules', path);

const WEB_CALLS = `
  analytics.identify(calls.userId, calls.identify.traits);
  analytics.track(calls.track.event, calls.track.properties);
  analytics.page(calls.page.name, calls.page.properties);
  analytics.group(calls.group.groupId, calls.group.traits);
  analytics.alias(calls.userId, calls.alias.previousId);`;

export const PUBLISHED_CLIENTS: readonly (ProgramClient | PageClient)[] = [
  {
    name: '@segment/analytics-node',
    version: '3.1.0',
    from: 'npm',
    kinds: KINDS,
    command: [process.execPath, driver('segment-node.mjs')],
  },
  {
    name: 'analytics-node',
    version: '6.2.0',
    from: 'npm',
    kinds: KINDS,
    command: [process.execPath, driver('segment-node-legacy.mjs')],
  },
  {
    name: '@rudderstack/rudder-sdk-node',
    version: '3.0.13',
    from: 'npm',
    kinds: KINDS,
    command: [process.execPath, driver('rudder-node.mjs')],
  },
  {
    name: '@segment/analytics-next',
    version: '1.84.3',
    from: 'npm',
    kinds: WEB_KINDS,
    script: script('@segment/analytics-next/dist/umd/index.js'),
    statement: `const analytics = AnalyticsNext.AnalyticsBrowser.load({ writeKey, cdnURL: host });${WEB_CALLS}`,
  },
  {
    name: '@segment/analytics-next, batching',
    version: '1.84.3',
    from: 'npm',
    kinds: WEB_KINDS,
    script: script('@segment/analytics-next/dist/umd/index.js'),
    statement: `const analytics = AnalyticsNext.AnalyticsBrowser.load({ writeKey, cdnURL: host }, {
      integrations: { 'Segment.io': { deliveryStrategy: { strategy: 'batching', config: { size: 5 } } } },
    });${WEB_CALLS}`,
  },
  {
    name: '@rudderstack/analytics-js',
    version: '3.34.1',
    from: 'npm',
    kinds: WEB_KINDS,
    script: script('@rudderstack/analytics-js/dist/npm/modern/bundled/umd/index.js'),
    statement: `const analytics = new rudderanalytics.RudderAnalytics();
      analytics.load(writeKey, host, { configUrl: host });${WEB_CALLS}`,
  },
  {
    name: '@rudderstack/analytics-js, batching',
    version: '3.34.1',
    from: 'npm',
    kinds: WEB_KINDS,
    script: script('@rudderstack/analytics-js/dist/npm/modern/bundled/umd/index.js'),
    statement: `const analytics = new rudderanalytics.RudderAnalytics();
      analytics.load(writeKey, host, {
        configUrl: host,
        queueOptions: { batch: { enabled: true, maxItems: 5, flushInterval: 2_000 } },
      });${WEB_CALLS}`,
  },
  {
    name: '@rudderstack/analytics-js, beacons',
    version: '3.34.1',
    from: 'npm',
    kinds: WEB_KINDS,
    script: script('@rudderstack/analytics-js/dist/npm/modern/bundled/umd/index.js'),
    statement: `const analytics = new rudderanalytics.RudderAnalytics();
      analytics.load(writeKey, host, {
        configUrl: host,
        useBeacon: true,
        beaconQueueOptions: { maxItems: 5, flushQueueInterval: 2_000 },
      });${WEB_CALLS}`,
  },
  {
    name: '@jitsu/js',
    version: '1.11.0',
    from: 'npm',
    kinds: JITSU_KINDS,
    script: script('@jitsu/js/dist/jitsu.es.js'),
    isModule: true,
    statement: `import('/client.js').then(async ({ jitsuAnalytics }) => {
      const analytics = jitsuAnalytics({ host, writeKey: \`\${writeKey}:js\` });
      await analytics.identify(calls.userId, calls.identify.traits);
      await analytics.track(calls.track.event, calls.track.properties);
      await analytics.page(calls.page.name, calls.page.properties);
      await analytics.group(calls.group.groupId, calls.group.traits);
    });`,
  },
  {
    name: '@jitsu/js, Node',
    version: '1.11.0',
    from: 'npm',
    kinds: JITSU_KINDS,
    command: [process.execPath, driver('jitsu-node.mjs')],
  },
  {
    name: 'posthog-js',
    version: '1.449.2',
    from: 'npm',
    kinds: KINDS,
    script: script('posthog-js/dist/module.mjs'),
    isModule: true,
    // The browser of the tests looks like a bot.
    statement: `import('/client.js').then(({ default: posthog }) => {
      posthog.init(writeKey, { api_host: host, autocapture: false, capture_pageview: false, opt_out_useragent_filter: true });
      posthog.identify(calls.userId, calls.identify.traits);
      posthog.capture(calls.track.event, calls.track.properties);
      posthog.capture('$pageview', { name: calls.page.name, ...calls.page.properties });
      posthog.capture('$screen', { $screen_name: calls.screen.name, ...calls.screen.properties });
      posthog.group('company', calls.group.groupId, calls.group.traits);
      posthog.alias(calls.alias.previousId);
    });`,
  },
  {
    name: 'posthog-node',
    version: '5.70.0',
    from: 'npm',
    kinds: KINDS,
    command: [process.execPath, driver('posthog-node.mjs')],
  },
  {
    name: 'segment-analytics-python',
    version: '2.4.0',
    from: 'python',
    kinds: KINDS,
    command: python('segment_python.py'),
  },
  {
    name: 'rudder-sdk-python',
    version: '2.1.9',
    from: 'python',
    kinds: KINDS,
    command: python('rudder_python.py'),
  },
  {
    name: 'analytics-go',
    version: '3.1.0',
    from: 'go',
    kinds: KINDS,
    command: [join(INSTALLED, 'go/clients')],
  },
];
