// The traffic of clients: batches of valid, invalid and unstorable events, on time and late;
// identify events, which are written to Postgres; in-app reports; and unanswered requests repeated
// byte for byte.

import { acceptBatch } from '../../ingest/accept/accept-batch.ts';
import { acceptInAppEvent } from '../../ingest/accept/accept-in-app-event.ts';
import { parseBatch } from '../../ingest/accept/parse-batch.ts';
import { parseObject } from '../../ingest/accept/parse-object.ts';
import type { RecentIds } from '../../ingest/accept/recent-ids.ts';
import type { CellIntake } from '../../ingest/http/cell-refusal.ts';
import type { SdkRequest } from '../../ingest/sdk-request.ts';
import { ACCOUNT, type Kind, POISON, type World } from './world.ts';

type Intake = Pick<CellIntake, 'writableLog'>;

const EVENTS_MAX = 6;
const DAY_MS = 86_400_000;
const NO_PROPERTY = new Uint8Array(16);

export function send(world: World, pipeline: Intake, recent: RecentIds): void {
  const log = pipeline.writableLog();
  if (log === undefined) return;
  if (world.chance() < 0.15) sendReport(world, pipeline);
  else sendBatch(world, pipeline, recent, nextBody(world));
}

function nextBody(world: World): Buffer {
  if (world.unanswered.length > 0 && world.chance() < 0.3) return world.unanswered.shift()!;
  const count = 1 + world.random.below(EVENTS_MAX);
  const events = Array.from({ length: count }, () => newEvent(world));
  const envelope = { writeKey: 'k', sentAt: '2025-05-05T00:00:00.000Z' };
  return Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"batch":[${events.join(',')}]}`);
}

function sendBatch(world: World, pipeline: Intake, recent: RecentIds, body: Buffer): void {
  const log = pipeline.writableLog()!;
  const { batch: events } = JSON.parse(body.toString()) as { batch: { messageId: string }[] };
  const ids = events.map(event => event.messageId);
  const batch = parseBatch(body);
  if ('code' in batch) throw new Error(batch.message);
  const sender = {
    account: ACCOUNT,
    propertyIdBytes: NO_PROPERTY,
    receivedAtMs: world.clock.nowMs(),
  };
  count(world, ids);
  // Until the response arrives, the client must assume that the batch was lost.
  world.unanswered.push(body);
  acceptBatch(log, recent, batch, sender).then(
    () => {
      for (const id of ids) world.acknowledged.add(id);
      const at = world.unanswered.indexOf(body);
      if (at >= 0) world.unanswered.splice(at, 1);
    },
    () => undefined,
  );
}

function newEvent(world: World): string {
  const messageId = world.newId();
  const luck = world.chance();
  const isPoison = world.options.hasPoison === true && luck < 0.1;
  const kind: Kind = isPoison ? 'poison' : luck > 0.9 ? 'invalid' : 'good';
  const isIdentify = kind === 'good' && luck > 0.7;
  const properties = { n: world.random.below(1e9) };
  const traits = { t: world.random.below(1e9) };
  const daysAgo = world.random.pick([0, 0, 0, 400]);
  const text = JSON.stringify({
    type: kind === 'invalid' ? 'nonsense' : isIdentify ? 'identify' : 'track',
    event: isPoison ? POISON : 'tick',
    messageId,
    anonymousId: 'a',
    sessionId: 's',
    timestamp: new Date(world.clock.nowMs() - daysAgo * DAY_MS).toISOString(),
    properties,
    ...(isIdentify ? { userId: messageId, traits } : {}),
  });
  world.sent.set(messageId, {
    kind,
    text,
    properties: JSON.stringify(properties),
    traits: isIdentify ? JSON.stringify(traits) : '',
  });
  return text;
}

function sendReport(world: World, pipeline: Intake): void {
  const log = pipeline.writableLog()!;
  const id = world.newId();
  const report = { event_type: 'clicked', user_id: id, campaign_id: 'c', idempotency_key: id };
  const text = JSON.stringify(report);
  const body = parseObject(Buffer.from(text));
  if ('code' in body) throw new Error(body.message);
  const request = {
    account: ACCOUNT,
    receivedAtMs: world.clock.nowMs(),
    propertyIdBytes: NO_PROPERTY,
  } as unknown as SdkRequest;
  world.sent.set(id, { kind: 'report', text, properties: '', traits: '' });
  count(world, [id]);
  const refusal = accept(request, body, log);
  if (refusal !== undefined) throw new Error(refusal.message);
  log.commit().then(
    () => world.acknowledged.add(id),
    () => undefined,
  );
}

const accept = acceptInAppEvent({ newId: () => '', variantOf: () => '' });

function count(world: World, ids: readonly string[]): void {
  for (const id of ids) world.sends.set(id, (world.sends.get(id) ?? 0) + 1);
}
