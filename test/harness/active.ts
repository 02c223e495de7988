// Sends GET /v1/in-app/active like an SDK.

import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type Answer, send } from './http.ts';
import type { Ingest } from './ingest-process.ts';
import { onEveryThread } from './on-every-thread.ts';
import type { Tenant } from './tenant.ts';

export type ActiveQuestion = {
  readonly contactId?: string;
  readonly userId?: string;
  readonly surface?: string;
  /** The complete query, instead of one with only `surface`. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ActiveElement = Readonly<Record<string, unknown>> & { readonly campaign_id: string };

export function fetchActive(
  ingest: Ingest,
  { writeKey }: Pick<Tenant, 'writeKey'>,
  question: ActiveQuestion = {},
): Promise<Answer> {
  const { contactId, userId, surface } = question;
  const asked = surface === undefined ? '' : `current_surface=${encodeURIComponent(surface)}`;
  const query = question.query ?? asked;
  return send(`${ingest.url}/v1/in-app/active${query === '' ? '' : `?${query}`}`, {
    method: 'GET',
    headers: {
      'x-service-write-key': writeKey,
      ...(contactId === undefined ? {} : { 'x-contact-id': contactId }),
      ...(userId === undefined ? {} : { 'x-user-id': userId }),
      ...question.headers,
    },
  });
}

export async function fetchList(
  ingest: Ingest,
  tenant: Pick<Tenant, 'writeKey'>,
  question: ActiveQuestion = {},
): Promise<ActiveElement[]> {
  const answer = await fetchActive(ingest, tenant, question);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json() as unknown as ActiveElement[];
}

export async function fetchIds(
  ingest: Ingest,
  tenant: Pick<Tenant, 'writeKey'>,
  question: ActiveQuestion = {},
): Promise<string[]> {
  return (await fetchList(ingest, tenant, question)).map(({ campaign_id }) => campaign_id);
}

/** Waits until every thread returns exactly these, in this order. */
export async function untilShown(
  ingest: Ingest,
  tenant: Pick<Tenant, 'writeKey'>,
  campaignIds: readonly string[],
  question: ActiveQuestion = {},
): Promise<void> {
  await eventually(
    () =>
      onEveryThread(async () =>
        expect(await fetchIds(ingest, tenant, question)).toEqual(campaignIds),
      ),
    { intervalMs: 25 },
  );
}
