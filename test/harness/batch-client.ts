// The common steps of tests of POST /v1/batch: a known tenant, one request, the response.

import { expect } from 'vitest';
import { batchText, type Texts } from './batch.ts';
import { eventually } from './eventually.ts';
import { type Answer, type Request, send } from './http.ts';
import type { Ingest } from './ingest-process.ts';
import { onEveryThread } from './on-every-thread.ts';
import { createTenant, type Tenant, type TenantOptions } from './tenant.ts';

export type Rejected = {
  readonly index: number;
  readonly messageId: string | null;
  readonly code: string;
  readonly message: string;
};

export const JSON_TYPE = { 'content-type': 'application/json' } as const;

export function post(
  ingest: Ingest,
  body: string | Uint8Array,
  options: Request = {},
): Promise<Answer> {
  return send(`${ingest.url}/v1/batch`, {
    ...options,
    body,
    headers: { ...JSON_TYPE, ...options.headers },
  });
}

export function postEvents(
  ingest: Ingest,
  writeKey: string,
  events: readonly string[],
  fields: Texts = {},
  options: Request = {},
): Promise<Answer> {
  return post(ingest, batchText(writeKey, events, fields), options);
}

/** Creates a tenant and waits until the process knows it. */
export async function liveTenant(ingest: Ingest, options: TenantOptions = {}): Promise<Tenant> {
  const tenant = await createTenant(options);
  await untilKnown(ingest, tenant.writeKey);
  return tenant;
}

/** An empty batch stores nothing and counts toward no cap, but an unknown key is refused first. */
export async function untilKnown(ingest: Ingest, writeKey: string): Promise<void> {
  await eventually(() =>
    onEveryThread(async () => {
      const answer = await postEvents(ingest, writeKey, []);
      expect([answer.status, answer.json().code]).toEqual([400, 'EMPTY_BATCH']);
    }),
  );
}

export function expectAccepted(answer: Answer, accepted: number): void {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  expect(answer.json()).toEqual({ status: 'SUCCESS', accepted });
}

/** An error's body contains only a message and a code. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"${code}"`)]);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.json()).toEqual({ detail: expect.stringMatching(/./), code });
}

export function expectRejections(
  answer: Answer,
  accepted: number,
  rejected: readonly { index: number; messageId?: string | null; code: string }[],
): Rejected[] {
  expect([answer.status, answer.text]).toEqual([400, expect.any(String)]);
  expect(answer.json()).toEqual({
    detail: expect.stringMatching(/./),
    code: 'EVENTS_REJECTED',
    accepted,
    rejected: rejected.map(({ index, messageId, code }) => ({
      index,
      messageId: messageId === undefined ? expect.anything() : messageId,
      code,
      message: expect.stringMatching(/./),
    })),
  });
  return answer.json().rejected as Rejected[];
}
