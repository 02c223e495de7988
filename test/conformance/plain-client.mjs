// A client that follows the rules of docs/sdk-protocol.md, with fetch and one file. Tests of the kit
// run it, and variants of it that each break one rule.

import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const EVENTS_MAX = 100;
const BODY_BYTES_MAX = 512_000;
/** Of the body without its events. */
const ENVELOPE_BYTES = 200;
const GZIP_FROM_BYTES = 1_024;
const ANSWER_MAX_MS = 5_000;
const WAIT_MS = { first: 250, max: 60_000 };
const CLOSE_MAX_MS = 4_000;
const DONE = 'done';

export class PlainClient {
  constructor({ baseUrl, writeKey, storageDirectory, clockOffsetMs = 0 }) {
    Object.assign(this, { baseUrl, writeKey, clockOffsetMs });
    this.file = join(storageDirectory, 'events.json');
    const { anonymousId = randomUUID(), events = [] } = this.read();
    Object.assign(this, { anonymousId, events, userId: undefined });
    this.sessionId = randomUUID();
    this.failures = 0;
    this.hasConsent = true;
    this.isStopped = false;
    this.compresses = true;
  }

  now() {
    return new Date(Date.now() + this.clockOffsetMs).toISOString();
  }

  consent(granted) {
    this.hasConsent = granted;
    if (!granted) this.keep([]);
  }

  add(type, { userId, ...fields }) {
    if (!this.hasConsent) return;
    this.userId = userId ?? this.userId;
    const { anonymousId, sessionId } = this;
    const ids = { messageId: randomUUID(), timestamp: this.now(), anonymousId, sessionId };
    this.keep([...this.events, { type, ...fields, ...ids, userId: this.userId }]);
  }

  /** Sends until nothing is left; one at a time, whoever asks. */
  flush() {
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  async close() {
    const timer = wait(CLOSE_MAX_MS, undefined, { ref: false });
    await Promise.race([this.flush(), timer]);
    this.isStopped = true;
  }

  async sendAll() {
    let eventsMax = EVENTS_MAX;
    while (this.events.length > 0 && !this.isStopped) {
      const batch = this.nextBatch(eventsMax);
      if (batch.length === 0) {
        this.keep(this.events.slice(1));
        continue;
      }
      const { outcome, waitMs } = await this.send(batch);
      this.failures = outcome === 'again' ? this.failures + 1 : 0;
      eventsMax =
        outcome === 'smaller' && batch.length > 1 ? Math.ceil(batch.length / 2) : EVENTS_MAX;
      if (outcome === DONE || (outcome === 'smaller' && batch.length === 1)) this.remove(batch);
      if (outcome === 'again') await wait(waitMs ?? this.backoffMs());
    }
  }

  /** The next events that fit into a body; none if the first one does not fit alone. */
  nextBatch(eventsMax) {
    let bytes = ENVELOPE_BYTES;
    const batch = [];
    for (const event of this.events.slice(0, eventsMax)) {
      bytes += Buffer.byteLength(JSON.stringify(event)) + 1;
      if (bytes > BODY_BYTES_MAX) break;
      batch.push(event);
    }
    return batch;
  }

  async send(batch) {
    const body = JSON.stringify({ batch, sentAt: this.now(), writeKey: this.writeKey });
    const isPacked = this.compresses && body.length >= GZIP_FROM_BYTES;
    try {
      const answer = await fetch(`${this.baseUrl}/v1/batch`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        },
        body: isPacked ? gzipSync(body) : body,
        signal: AbortSignal.timeout(ANSWER_MAX_MS),
      });
      return this.judge(answer, await answer.text(), isPacked);
    } catch {
      return { outcome: 'again' };
    }
  }

  judge({ status, headers }, text, isPacked) {
    const { status: word, code } = parsed(text);
    if (status === 200 && word === 'SUCCESS') return { outcome: DONE };
    if (status === 413) return { outcome: 'smaller' };
    if (status === 415 && isPacked) {
      this.compresses = false;
      return { outcome: 'plain' };
    }
    if ((status === 401 || status === 403) && code !== undefined) this.isStopped = true;
    if ([400, 401, 403].includes(status) && code !== undefined) return { outcome: DONE };
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    return { outcome: 'again', ...(seconds >= 0 ? { waitMs: seconds * 1000 } : {}) };
  }

  async fetchInApp(surface) {
    const query = `current_surface=${encodeURIComponent(surface)}`;
    const answer = await fetch(`${this.baseUrl}/v1/in-app/active?${query}`, {
      headers: { 'x-service-write-key': this.writeKey, 'x-user-id': this.userId },
    });
    const displays = (await answer.json()).map(campaign => [
      campaign.campaign_id,
      { ...campaign, key: randomUUID() },
    ]);
    this.displays = new Map(displays);
  }

  feedback({ campaignId, action }) {
    const { journey_step_execution_id: step, key } = this.displays.get(campaignId);
    if (step !== undefined) {
      const body = { action: action === 'shown' ? 'viewed' : action };
      return this.post(`/v1/in-app/widgets/${step}/ack`, body);
    }
    return this.post('/v1/in_app/events', {
      campaign_id: campaignId,
      event_type: action === 'shown' ? 'impression' : action,
      idempotency_key: key,
      user_id: this.userId,
      anonymous_id: this.anonymousId,
      platform: 'web',
    });
  }

  respond({ campaignId, responseType, payload }) {
    return this.post('/api/v1/in_app/responses', {
      campaign_id: campaignId,
      response_type: responseType,
      payload,
      idempotency_key: this.displays.get(campaignId).key,
      user_id: this.userId,
      platform: 'web',
    });
  }

  engage({ event, messageId, platform, propertyId }) {
    return this.post('/v1/push/engagement', {
      event_type: event,
      message_id: messageId,
      platform,
      property_id: propertyId,
      user_id: this.userId,
      anonymous_id: this.anonymousId,
    });
  }

  device(verb, { token, ...fields }) {
    return this.post(`/v1/devices/${verb}`, { device_token: token, ...fields });
  }

  /** One small body, again until it is stored or refused. */
  async post(path, body) {
    for (let failures = 1; !this.isStopped; failures++) {
      const headers = {
        'content-type': 'application/json',
        'x-service-write-key': this.writeKey,
      };
      const request = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' };
      const answer = await fetch(this.baseUrl + path, request).catch(() => undefined);
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) return;
      await wait(WAIT_MS.first * failures);
    }
  }

  backoffMs() {
    const fullMs = Math.min(WAIT_MS.first * 2 ** (this.failures - 1), WAIT_MS.max);
    return fullMs * (0.75 + Math.random() / 4);
  }

  remove(batch) {
    const ids = new Set(batch.map(({ messageId }) => messageId));
    this.keep(this.events.filter(({ messageId }) => !ids.has(messageId)));
  }

  keep(events) {
    this.events = events;
    const { anonymousId } = this;
    writeFileSync(`${this.file}.new`, JSON.stringify({ anonymousId, events }));
    renameSync(`${this.file}.new`, this.file);
  }

  read() {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8'));
    } catch {
      return {};
    }
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
