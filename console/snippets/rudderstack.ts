import type { Snippet } from './snippet.ts';

const RUDDERSTACK = { vendor: 'RudderStack', accepts: 'COMPATIBLE' } as const;

export const RUDDERSTACK_SNIPPETS: readonly Snippet[] = [
  {
    ...RUDDERSTACK,
    name: 'RudderStack, browser',
    runsIn: 'browser',
    about:
      'Use this code in an app with a bundler. Unlike the default build, the bundled build loads nothing from other hosts.',
    install: 'npm install @rudderstack/analytics-js',
    code: `import { RudderAnalytics } from '@rudderstack/analytics-js/bundled';

const analytics = new RudderAnalytics();
analytics.load('KEY', 'HOST', { configUrl: 'HOST' });
analytics.identify('user-1');
analytics.track('Test Event', { total: 49.9 });
`,
  },
  {
    ...RUDDERSTACK,
    name: 'RudderStack, Node',
    runsIn: 'node',
    about:
      'Use this code in an ES module. The last line sends all waiting events before the process ends.',
    install: 'npm install @rudderstack/rudder-sdk-node',
    code: `import RudderAnalytics from '@rudderstack/rudder-sdk-node';

const analytics = new RudderAnalytics('KEY', { dataPlaneUrl: 'HOST' });
analytics.track({ userId: 'user-1', event: 'Test Event', properties: { total: 49.9 } });
await analytics.flush();
`,
  },
  {
    ...RUDDERSTACK,
    name: 'RudderStack, Python',
    runsIn: 'python',
    about: 'The last line sends all waiting events before the process ends.',
    install: 'pip install rudder-sdk-python',
    code: `import rudderstack.analytics as analytics

analytics.write_key = "KEY"
analytics.dataPlaneUrl = "HOST"
analytics.track(user_id="user-1", event="Test Event", properties={"total": 49.9})
analytics.flush()
`,
  },
];
