import type { Snippet } from './snippet.ts';

const SEGMENT = { vendor: 'Segment', accepts: 'COMPATIBLE' } as const;

export const SEGMENT_SNIPPETS: readonly Snippet[] = [
  {
    ...SEGMENT,
    name: 'Segment, browser',
    runsIn: 'browser',
    about:
      'Use this code in an app with a bundler. The client requests its settings from this service. These settings tell the client where to send events.',
    install: 'npm install @segment/analytics-next',
    code: `import { AnalyticsBrowser } from '@segment/analytics-next';

const analytics = AnalyticsBrowser.load({ writeKey: 'KEY', cdnURL: 'HOST' });
analytics.identify('user-1');
analytics.track('Test Event', { total: 49.9 });
`,
  },
  {
    ...SEGMENT,
    name: 'Segment, Node',
    runsIn: 'node',
    about:
      'Use this code in an ES module. The last line sends all waiting events before the process ends.',
    install: 'npm install @segment/analytics-node',
    code: `import { Analytics } from '@segment/analytics-node';

const analytics = new Analytics({ writeKey: 'KEY', host: 'HOST' });
analytics.track({ userId: 'user-1', event: 'Test Event', properties: { total: 49.9 } });
await analytics.closeAndFlush();
`,
  },
  {
    ...SEGMENT,
    name: 'Segment, Python',
    runsIn: 'python',
    about: 'The last line sends all waiting events before the process ends.',
    install: 'pip install segment-analytics-python',
    code: `from segment import analytics

analytics.write_key = "KEY"
analytics.host = "HOST"
analytics.track(user_id="user-1", event="Test Event", properties={"total": 49.9})
analytics.flush()
`,
  },
  {
    ...SEGMENT,
    name: 'Segment, Go',
    runsIn: 'go',
    about: 'The deferred call to Close sends all waiting events before the process ends.',
    install: 'go get gopkg.in/segmentio/analytics-go.v3',
    code: `package main

import (
	"log"

	analytics "gopkg.in/segmentio/analytics-go.v3"
)

func main() {
	client, err := analytics.NewWithConfig("KEY", analytics.Config{Endpoint: "HOST"})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	err = client.Enqueue(analytics.Track{
		UserId:     "user-1",
		Event:      "Test Event",
		Properties: analytics.Properties{"total": 49.9},
	})
	if err != nil {
		log.Fatal(err)
	}
}
`,
  },
];
