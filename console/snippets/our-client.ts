// Our own client.

import type { Snippet } from './snippet.ts';

const OUR_CLIENT = { vendor: 'Our client', accepts: 'CONTRACT' } as const;

export const OUR_CLIENT_SNIPPETS: readonly Snippet[] = [
  {
    ...OUR_CLIENT,
    name: 'Script tag',
    runsIn: 'page',
    about:
      'Add this code to the head of each page. The first line collects calls until the script has loaded.',
    install: undefined,
    code: `<script>engagement = function () { (engagement.q = engagement.q || []).push(arguments) }</script>
<script async src="HOST/sdk.js" data-write-key="KEY"></script>
<script>
  engagement('identify', 'user-1');
  engagement('track', 'Test Event', { total: 49.9 });
</script>
`,
  },
  {
    ...OUR_CLIENT,
    name: 'Our client, browser',
    runsIn: 'browser',
    about:
      'Use this code in an app with a bundler. The package is in the `sdk` folder of this repository.',
    install: 'npm install ./sdk',
    code: `import { createClient } from 'engagement-client';

const client = createClient({ writeKey: 'KEY', host: 'HOST' });
client.identify('user-1');
client.track('Test Event', { total: 49.9 });
`,
  },
  {
    ...OUR_CLIENT,
    name: 'Our client, Node',
    runsIn: 'node',
    about:
      'Use this code in an ES module. The last line sends the waiting events before the process ends.',
    install: 'npm install ./sdk',
    code: `import { createClient } from 'engagement-client/node';

const client = createClient({ writeKey: 'KEY', host: 'HOST' });
client.track({ userId: 'user-1', event: 'Test Event', properties: { total: 49.9 } });
await client.close();
`,
  },
];
