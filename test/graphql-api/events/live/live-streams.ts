import { expect } from 'vitest';
import { batchText } from '../../../harness/batch.ts';
import {
  type EventStream,
  itemOf,
  openStream,
  type StreamItem,
} from '../../../harness/event-stream.ts';
import { eventually } from '../../../harness/eventually.ts';
import { type keepAlive, send } from '../../../harness/http.ts';
import { type IngestProcess, startIngest } from '../../../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../../../harness/internal.ts';
import { onEveryThread } from '../../../harness/on-every-thread.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { createTenant as newTenant, type Tenant } from '../../../harness/tenant.ts';
import { startTestReceiver } from '../../../harness/webhook-receiver.ts';
import { type ApiProcess, startApi } from '../../harness/api-process.ts';
import { tokenFor } from '../../harness/tokens.ts';

type Parts = {
  readonly api: ApiProcess;
  readonly ingest: IngestProcess;
  readonly databaseUrl: string;
};

/** Their own database, because a process of another test would deliver webhooks too. */
export async function startLive() {
  const urls = await ownDatabase();
  const processes = startIngest({
    env: { INTERNAL_TOKEN, DATABASE_SYSTEM_URL: urls.system, DATABASE_URL: urls.owner },
  });
  const [ingest, receiver] = await Promise.all([processes, startTestReceiver()]);
  const api = await startApi({
    env: {
      INTERNAL_TOKEN,
      INGEST_URL: ingest.url,
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
      DATABASE_POOL_MAX: '4',
      RATE_POINTS_PER_SECOND: '1000',
    },
  });
  return { ingest, api, receiver, databaseUrl: urls.owner };
}

/** Streams of the live view, and events that appear in them. */
export function liveStreams(parts: () => Parts) {
  const streams: EventStream[] = [];

  /** Creates a tenant that every thread of ingest knows. */
  async function createTenant(): Promise<Tenant> {
    const tenant = await newTenant({ databaseUrl: parts().databaseUrl });
    await eventually(() =>
      onEveryThread(async () => expect((await post(tenant, [])).status).toBe(400)),
    );
    return tenant;
  }

  /** Opens a stream; resolves when it no longer misses events. */
  async function watch(tenant: Tenant, filter: Filter = {}, token?: string): Promise<EventStream> {
    const stream = await openStream(parts().api.url, LIVE, {
      token: token ?? (await tokenFor(tenant.organizationId, { roles: ['member'] })),
      variables: filter,
    });
    streams.push(stream);
    expect(stream.status, stream.text()).toBe(200);
    const first = await itemOf(stream, isCounts);
    expect(first, parts().api.logs()).toMatchObject({ isIngestAnswering: true });
    return stream;
  }

  function post(tenant: Tenant, events: readonly string[], agent?: ReturnType<typeof keepAlive>) {
    return send(`${parts().ingest.url}/v1/batch`, {
      headers: { 'content-type': 'application/json' },
      body: batchText(tenant.writeKey, events),
      ...(agent && { agent }),
    });
  }

  /** Returns the error of a refused subscription. */
  async function refusedWith(token: string | undefined, query = LIVE): Promise<unknown> {
    const stream = await openStream(parts().api.url, query, { token });
    streams.push(stream);
    await eventually(() => expect(stream.errors, stream.text()).toHaveLength(1));
    await eventually(() => expect(stream.end).toBe('complete'));
    return stream.errors[0]?.extensions;
  }
  return { streams, createTenant, watch, post, refusedWith };
}

const SENT = `receivedAt endpoint sdkKeyId type name messageId userId anonymousId body isBodyCut bodyBytes`;

export const LIVE = `subscription ($kinds: [LiveKind!], $name: String, $type: String, $user: String, $code: String) {
  live(kinds: $kinds, name: $name, type: $type, user: $user, code: $code) {
    __typename
    ... on LiveSentEvent { ${SENT} }
    ... on LiveRejectedEvent { code message batchIndex }
    ... on LiveGatewayEvent { id receivedAt gatewayType: type family state effects error }
    ... on LiveDelivery { deliveryId endpointId eventId eventType isTest deliveryState: state attempt
      cause outcome status latencyMs reason attemptedAt }
    ... on LiveCounts { at accepted duplicates rejected notShown deliveries deliveriesNotShown
      isIngestAnswering }
  }
}`;

export type Filter = Readonly<Record<string, unknown>>;

export const isCounts = ({ __typename }: StreamItem) => __typename === 'LiveCounts';

export const isOfMessage = (id: string) => (item: StreamItem) => item.messageId === id;

export function sumOf(stream: EventStream, name: string): number {
  return stream.items.filter(isCounts).reduce((sum, item) => sum + Number(item[name]), 0);
}
