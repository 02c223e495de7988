// Requests of the contract, without any client.

import type { Snippet } from './snippet.ts';

const PLAIN_HTTP = { vendor: 'Plain HTTP', accepts: 'CONTRACT', install: undefined } as const;

export const CURL: Snippet = {
  ...PLAIN_HTTP,
  name: 'curl',
  runsIn: 'shell',
  about: 'Paste these lines into a terminal.',
  code: `NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ)
curl -sS HOST/v1/batch -H 'Content-Type: application/json' -d '{
  "writeKey": "KEY",
  "sentAt": "'$NOW'",
  "batch": [{
    "type": "track",
    "event": "Test Event",
    "messageId": "test-'$NOW'",
    "timestamp": "'$NOW'",
    "userId": "user-1",
    "anonymousId": "device-1",
    "sessionId": "session-1",
    "properties": { "total": 49.9 }
  }]
}'
`,
};

const FETCH: Snippet = {
  ...PLAIN_HTTP,
  name: 'fetch, browser',
  runsIn: 'browser',
  about:
    'Use this code in a module script on a page. If the key has an allow-list of origins, the list must contain the page’s origin.',
  code: `const now = new Date().toISOString();
const response = await fetch('HOST/v1/batch', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    writeKey: 'KEY',
    sentAt: now,
    batch: [
      {
        type: 'track',
        event: 'Test Event',
        messageId: crypto.randomUUID(),
        timestamp: now,
        userId: 'user-1',
        anonymousId: 'device-1',
        sessionId: 'session-1',
        properties: { total: 49.9 },
      },
    ],
  }),
});
console.log(response.status, await response.text());
`,
};

const PYTHON: Snippet = {
  ...PLAIN_HTTP,
  name: 'Python, standard library',
  runsIn: 'python',
  about: 'This code runs on any version of Python 3, without additional packages.',
  code: `import json
import urllib.request
import uuid
from datetime import datetime, timezone

now = datetime.now(timezone.utc).isoformat()
batch = {
    "writeKey": "KEY",
    "sentAt": now,
    "batch": [
        {
            "type": "track",
            "event": "Test Event",
            "messageId": str(uuid.uuid4()),
            "timestamp": now,
            "userId": "user-1",
            "anonymousId": "device-1",
            "sessionId": "session-1",
            "properties": {"total": 49.9},
        }
    ],
}
request = urllib.request.Request(
    "HOST/v1/batch",
    data=json.dumps(batch).encode(),
    headers={"Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())
`,
};

export const PLAIN_HTTP_SNIPPETS: readonly Snippet[] = [CURL, FETCH, PYTHON];
