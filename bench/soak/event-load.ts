// Events, feedback and devices, as the SDKs of several organizations send them.

import {
  createBatches,
  EVENTS_PER_BATCH,
  organizationOf,
  requestsFor,
  sendingOf,
} from './batches.ts';
import { type Answer, createSender, type Post, steadily } from './send.ts';
import type { SoakService } from './service.ts';

export type Requests = { sent: number; failed: number; firstFailure: string | undefined };

/** The batches that were sent, and those that the service acknowledged. */
export type Sent = {
  /** By the batch's number: 1 after a 200 response. */
  readonly acknowledged: Uint8Array;
  /** Batches from 0 to below this number were sent at least once. */
  batches: number;
  acknowledgedEvents: number;
  repeatedBatches: number;
  feedback: number;
  readonly requests: Requests;
};

export type EventLoad = {
  readonly eventsPerSecond: number;
  readonly startedMs: number;
  readonly signal: AbortSignal;
};

const WORKERS = 32;
/** Retries, as SDKs do. Only after the last failure is it unknown whether the events are stored. */
const ATTEMPTS = 5;
const RETRY_MS = 1_000;
const FEEDBACK_PER_SECOND = 5;
const DEVICES_PER_SECOND = 2;
/** Registered again and again, as apps do at each start. */
const DEVICES = 2_000;
const ACCEPTED = `"accepted":${EVENTS_PER_BATCH}`;

export function nothingSent(eventsPerSecond: number, seconds: number): Sent {
  // The load ends on time, but a moment after its last sample.
  const batchesMax = ((seconds + 60) * eventsPerSecond) / EVENTS_PER_BATCH;
  return {
    acknowledged: new Uint8Array(Math.ceil(batchesMax)),
    batches: 0,
    acknowledgedEvents: 0,
    repeatedBatches: 0,
    feedback: 0,
    requests: { sent: 0, failed: 0, firstFailure: undefined },
  };
}

/** Sends until the signal is aborted. */
export async function sendEvents(
  { baseUrl, organizations }: SoakService,
  { eventsPerSecond, startedMs, signal }: EventLoad,
  sent: Sent,
): Promise<void> {
  const sender = createSender(WORKERS + 2);
  const bodyOf = createBatches(organizations.map(({ writeKey }) => writeKey));
  const batchesPerSecond = eventsPerSecond / EVENTS_PER_BATCH;

  async function send(path: string, post: Omit<Post, 'url'>, isRight: (text: string) => boolean) {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const answer = await sender.post({ ...post, url: `${baseUrl}${path}` });
      sent.requests.sent++;
      if (answer.status === 200 && isRight(answer.text)) return true;
      noteFailure(sent.requests, answer);
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
    return false;
  }

  async function sendBatch(request: number): Promise<void> {
    const { batch, isRepeat } = sendingOf(request);
    sent.batches = Math.max(sent.batches, batch + 1);
    if (isRepeat) sent.repeatedBatches++;
    const body = bodyOf(batch, startedMs + Math.floor((batch * 1000) / batchesPerSecond));
    const isDone = await send('/v1/batch', { headers: {}, body }, text => text.includes(ACCEPTED));
    if (!isDone || sent.acknowledged[batch] === 1) return;
    sent.acknowledged[batch] = 1;
    sent.acknowledgedEvents += EVENTS_PER_BATCH;
  }

  async function sendFeedback(number: number): Promise<void> {
    const { writeKey } = organizations[0]!;
    const body = JSON.stringify({
      campaign_id: 'soak',
      event_type: 'impression',
      user_id: `user-${number % DEVICES}`,
      platform: 'web',
      idempotency_key: `soak-${number}`,
    });
    const headers = { 'x-service-write-key': writeKey };
    if (await send('/v1/in_app/events', { headers, body }, () => true)) sent.feedback++;
  }

  async function sendDevice(number: number): Promise<void> {
    const device = number % DEVICES;
    const { writeKey, propertyId } = organizations[organizationOf(device)]!;
    const body = JSON.stringify({
      device_token: device.toString(16).padStart(64, '0'),
      platform: 'ios',
      property_id: propertyId,
      anonymous_id: `device-${device}`,
      app_version: '4.2.0',
    });
    await send(
      '/v1/devices/register',
      { headers: { 'x-service-write-key': writeKey }, body },
      () => true,
    );
  }

  try {
    const rate = requestsFor(batchesPerSecond);
    await Promise.all([
      steadily({ perSecond: rate, workers: WORKERS, signal }, sendBatch),
      steadily({ perSecond: FEEDBACK_PER_SECOND, workers: 1, signal }, sendFeedback),
      steadily({ perSecond: DEVICES_PER_SECOND, workers: 1, signal }, sendDevice),
    ]);
  } finally {
    sender.close();
  }
}

/** The first failures are printed when they occur, not only after an hour. */
const REPORTED_MAX = 10;

export function noteFailure(requests: Requests, { status, text }: Answer): void {
  requests.failed++;
  const failure = `${status} ${text}`.slice(0, 300);
  requests.firstFailure ??= failure;
  if (requests.failed <= REPORTED_MAX)
    process.stderr.write(`${new Date().toISOString().slice(11, 19)} failed: ${failure}\n`);
}
