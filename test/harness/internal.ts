// The internal endpoints of ingest for the control plane.

import { randomUUID } from 'node:crypto';
import { type Answer, send } from './http.ts';

/** The internal token of the ingest processes in these tests. */
export const INTERNAL_TOKEN = 'internal-token-of-the-tests-0123456789';

export type InternalOptions = {
  /** Omit it to send no token. */
  readonly token?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
};

export function postInternal(
  ingestUrl: string,
  path: '/internal/rows' | '/internal/batch',
  body: string | object,
  options: InternalOptions = { token: INTERNAL_TOKEN },
): Promise<Answer> {
  const { token, query = {} } = { token: INTERNAL_TOKEN, ...options };
  const search = new URLSearchParams(query).toString();
  return send(`${ingestUrl}${path}${search === '' ? '' : `?${search}`}`, {
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** An activity card with its own identity. */
export function cardRow(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    card_id: randomUUID(),
    kind: 'payment.received',
    channel: 'email',
    user_id: 'user-1',
    details: '{"amount":"49.90"}',
    received_at: new Date().toISOString(),
    ...fields,
  };
}

export function deliveryRow(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    delivery_id: randomUUID(),
    channel: 'email',
    status: 'shown',
    rank: 1,
    event_type: 'email.opened',
    received_at: new Date().toISOString(),
    ...fields,
  };
}
