// The driver of PlainClient with one or more rules broken, by the name of the fault.

import { randomUUID } from 'node:crypto';
import { PlainClient } from './plain-client.mjs';

const client = PlainClient.prototype;
const fetchAsIs = globalThis.fetch;

/** `change` gets the client, its own method and the arguments. */
function override(name, change) {
  const own = Reflect.get(client, name);
  client[name] = function (...values) {
    return change(this, (...others) => own.apply(this, others), ...values);
  };
}

/** Each event as it is sent. */
function changeEvents(change) {
  override('send', (self, send, batch) => send(batch.map(event => change(event, self))));
}

/** Each event as it is queued. */
function changeCalls(change) {
  override('add', (self, add, type, fields) => {
    add(type, fields);
    self.events.push(change(self.events.pop()));
  });
}

function changeRequests(change) {
  globalThis.fetch = (url, request) => fetchAsIs(url, { ...request, ...change(request) });
}

/** Of bodies that are not compressed. */
function neverCompress() {
  override('send', (self, send, batch) => {
    self.compresses = false;
    return send(batch);
  });
}

function changeBodies(change) {
  neverCompress();
  changeRequests(({ body }) => ({ body: JSON.stringify(change(JSON.parse(body))) }));
}

function treat(status, outcome, change = () => undefined) {
  override('judge', (self, judge, answer, text, isPacked) => {
    if (answer.status !== status) return judge(answer, text, isPacked);
    change(self);
    return { outcome };
  });
}

const FAULTS = {
  'careless with identities'() {
    changeCalls(event => ({ ...event, anonymousId: randomUUID(), sessionId: randomUUID() }));
    changeEvents(event => ({ ...event, userId: undefined }));
    override('nextBatch', (_, nextBatch, eventsMax) => nextBatch(eventsMax).toReversed());
  },
  'sends no write key, as HTML'() {
    neverCompress();
    changeRequests(({ body }) => ({
      body: JSON.stringify({ ...JSON.parse(body), writeKey: undefined }),
      headers: { 'content-type': 'text/html' },
    }));
  },
  'names an encoding it does not use'() {
    neverCompress();
    changeRequests(() => ({
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    }));
  },
  'sends all at once'() {
    client.nextBatch = function () {
      return this.events;
    };
  },
  'sends events one by one'() {
    client.nextBatch = function () {
      return this.events.slice(0, 1);
    };
  },
  'leaves out the session'() {
    changeEvents(event => ({ ...event, sessionId: undefined }));
  },
  'sends every call as track, in ASCII'() {
    changeEvents(({ event = 'call', ...fields }) =>
      JSON.parse(JSON.stringify({ ...fields, event, type: 'track' }).replaceAll(/[^ -~]/g, '?')),
    );
  },
  'has one messageId for all'() {
    changeCalls(event => ({ ...event, messageId: 'message-1' }));
  },
  'queues each call twice'() {
    override('add', (_, add, type, fields) => {
      add(type, fields);
      add(type, fields);
    });
  },
  'makes new IDs on a retry'() {
    changeEvents((event, { failures }) =>
      failures > 0 ? { ...event, messageId: randomUUID() } : event,
    );
  },
  'sets the time when it sends'() {
    changeEvents((event, self) => ({ ...event, timestamp: self.now() }));
  },
  'sends the first sentAt again'() {
    let sentAt;
    changeBodies(body => {
      sentAt ??= body.sentAt;
      return { ...body, sentAt };
    });
  },
  'does nothing on flush'() {
    client.flush = async () => undefined;
  },
  'sends again after a 200': () => treat(200, 'again'),
  'sends again after a 400': () => treat(400, 'again'),
  'stops after a 400'() {
    treat(400, 'done', self => {
      self.isStopped = true;
    });
  },
  'sends again after a 401': () => treat(401, 'again'),
  'drops after a 413': () => treat(413, 'done'),
  'sends again after a 413': () => treat(413, 'again'),
  'compresses again after a 415': () => treat(415, 'again'),
  'drops after a 503': () => treat(503, 'done'),
  'ignores Retry-After': () => treat(429, 'again'),
  'waits the same time'() {
    client.backoffMs = () => 700;
  },
  'does not wait'() {
    client.backoffMs = () => 20;
  },
  'gives up after three attempts'() {
    override('send', async (self, send, batch) => {
      const result = await send(batch);
      return self.failures === 2 && result.outcome === 'again' ? { outcome: 'done' } : result;
    });
  },
  'sends from two flushes'() {
    client.flush = function () {
      return Promise.all([this.sendAll(), this.sendAll()]);
    };
  },
  'waits a second for a response': () =>
    changeRequests(() => ({ signal: AbortSignal.timeout(1_000) })),
  'waits forever for a response': () => changeRequests(() => ({ signal: null })),
  'trusts any 200': () => treat(200, 'done'),
  'trusts any 403': () => treat(403, 'done'),
  'follows redirects': () => changeRequests(() => ({ redirect: 'follow' })),
  'closes without sending'() {
    client.close = async () => undefined;
  },
  'closes only when all is sent'() {
    client.close = function () {
      return this.flush();
    };
  },
  'keeps events in memory'() {
    client.keep = function (events) {
      this.events = events;
    };
  },
  'has two clocks'() {
    changeBodies(body => ({ ...body, sentAt: new Date().toISOString() }));
  },
  'sends all feedback to one path, of somebody, without keys'() {
    changeRequests(({ headers, body }) => ({
      headers: { ...headers, 'x-user-id': 'somebody' },
      body: body && JSON.stringify({ ...JSON.parse(body), idempotency_key: undefined }),
    }));
    client.feedback = function ({ campaignId, action }) {
      const event_type = action === 'shown' ? 'impression' : action;
      const body = { campaign_id: campaignId, event_type, user_id: this.userId };
      return this.post('/v1/in_app/events', body);
    };
  },
  'forgets what was pushed'() {
    changeRequests(({ body }) => ({
      body: JSON.stringify({ ...JSON.parse(body), message_id: undefined, device_token: undefined }),
    }));
  },
  'ignores consent'() {
    client.consent = () => undefined;
  },
};

FAULTS[process.argv[2]]();
await import('./driver.mjs');
