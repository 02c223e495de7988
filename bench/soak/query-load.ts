// GraphQL requests of a dashboard, in the first organization: four of five read, one of five writes.

import { noteFailure, type Requests } from './event-load.ts';
import { createSender, steadily } from './send.ts';
import type { SoakService } from './service.ts';

type Operation = {
  readonly query: string;
  readonly variables?: (count: number) => Readonly<Record<string, unknown>>;
};

const WORKERS = 16;
/** A constant range, so that a report returns as much at the end as at the start. */
const RANGE_MS = 60_000;
const CONTACTS = 1_000;
const FAILED = /"errors":\[|"userErrors":\[\{/;

/** Sends until the signal is aborted. */
export async function sendQueries(
  { baseUrl, token }: SoakService,
  perSecond: number,
  requests: Requests,
  signal: AbortSignal,
): Promise<void> {
  const sender = createSender(WORKERS);
  const headers = { authorization: `Bearer ${token}` };
  const post = (body: string) => sender.post({ url: `${baseUrl}/graphql`, headers, body });
  try {
    const found = await post(JSON.stringify({ query: FIRST_KEY }));
    const keyId = /"id":"([^"]+)"/.exec(found.text)?.[1];
    if (keyId === undefined) throw new Error(`no SDK key: ${found.status} ${found.text}`);
    const operations = operationsOf(keyId);
    await steadily({ perSecond, workers: WORKERS, signal }, async count => {
      const { query, variables } = operations[count % operations.length]!;
      const answer = await post(JSON.stringify({ query, variables: variables?.(count) }));
      requests.sent++;
      if (answer.status !== 200 || FAILED.test(answer.text)) noteFailure(requests, answer);
    });
  } finally {
    sender.close();
  }
}

const FIRST_KEY = 'query { sdkKeys(first: 1) { nodes { id } } }';

function operationsOf(keyId: string): readonly Operation[] {
  const viewer: Operation = {
    query: `query { viewer { userId roles organization { id name } workspace { id name createdAt } } }`,
  };
  const keys: Operation = {
    query:
      'query { sdkKeys(first: 50) { nodes { id name isActive createdAt rotatedFrom { id } } } }',
  };
  const key: Operation = {
    query: 'query ($id: ID!) { node(id: $id) { ... on SdkKey { id name minuteCap } } }',
    variables: () => ({ id: keyId }),
  };
  const contacts: Operation = {
    query: 'query { contacts(first: 50) { nodes { id userId } pageInfo { hasNextPage } } }',
  };
  const audit: Operation = {
    query: 'query { auditEntries(first: 20) { nodes { id action createdAt } } }',
  };
  const upsert: Operation = {
    query: `mutation ($input: ContactUpsertInput!) {
      contactUpsert(input: $input) { contact { id } userErrors { code message } }
    }`,
    variables: count => ({
      input: { userId: `soak-${count % CONTACTS}`, traits: { visits: count } },
    }),
  };
  const rename: Operation = {
    query: `mutation ($id: ID!, $input: SdkKeyUpdateInput!) {
      sdkKeyUpdate(id: $id, input: $input) { sdkKey { id } userErrors { code message } }
    }`,
    variables: count => ({ id: keyId, input: { name: `Key ${count}` } }),
  };
  return [
    viewer,
    keys,
    key,
    contacts,
    upsert,
    viewer,
    keys,
    key,
    contacts,
    upsert,
    viewer,
    key,
    audit,
    COUNTS,
    upsert,
    viewer,
    key,
    contacts,
    EVENTS,
    rename,
  ];
}

const COUNTS: Operation = {
  query: `query ($range: ReportRange!) {
    eventCounts(range: $range, bucket: HOUR) { lines { type name total } }
  }`,
  variables: lastMinute,
};

const EVENTS: Operation = {
  query: `query ($range: ReportRange!) {
    events(range: $range, first: 20) { nodes { messageId type timestamp } }
  }`,
  variables: lastMinute,
};

function lastMinute() {
  const nowMs = Date.now();
  const [from, to] = [nowMs - RANGE_MS, nowMs].map(ms => new Date(ms).toISOString());
  return { range: { from, to } };
}
