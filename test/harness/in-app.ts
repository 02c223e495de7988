// Sends in-app reports and responses, and reads the rows that analysts see and caps count.

import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { type Answer, type Request, send } from './http.ts';
import type { Ingest } from './ingest-process.ts';
import { sql, type Tenant } from './tenant.ts';
import { rows } from './warehouse.ts';

export const IN_APP_EVENTS = '/v1/in_app/events';
export const IN_APP_RESPONSES = '/api/v1/in_app/responses';

export type Fields = Readonly<Record<string, unknown>>;

/** A valid report with these fields replaced; `undefined` omits a field. */
export function reportOf(fields: Fields = {}): Fields {
  return { campaign_id: 'campaign-1', event_type: 'impression', user_id: 'user-1', ...fields };
}

/** A valid response with these fields replaced; `undefined` omits a field. */
export function responseOf(fields: Fields = {}): Fields {
  return {
    campaign_id: 'campaign-1',
    response_type: 'nps',
    platform: 'web',
    payload: { score: 9 },
    ...fields,
  };
}

/** Posts with the tenant's key; a string is sent unchanged. */
export function postJson(
  ingest: Ingest,
  tenant: Pick<Tenant, 'writeKey'>,
  path: string,
  body: Fields | string,
  options: Request = {},
): Promise<Answer> {
  return send(`${ingest.url}${path}`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...options,
    headers: {
      'content-type': 'application/json',
      'x-service-write-key': tenant.writeKey,
      ...options.headers,
    },
  });
}

export function expectSuccess(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([200, '{"status":"SUCCESS"}']);
}

/** Waits for `count` rows of a view for analysts; returns them by arrival. */
export function storedRows(
  view: 'in_app_events' | 'in_app_responses',
  workspaceId: string,
  count: number,
): Promise<Record<string, unknown>[]> {
  return eventually(async () => {
    const found = await rows<Record<string, unknown>>(
      `SELECT * FROM ${view} WHERE workspace_id = {workspaceId:UUID}
       ORDER BY received_at, ${view === 'in_app_events' ? 'event_key' : 'response_key'}`,
      { workspaceId },
    );
    expect(found.length).toBe(count);
    return found;
  });
}

export type Exposure = {
  readonly user_id: string;
  readonly campaign_id: string;
  readonly event_type: string;
  readonly occurred_at: Date;
};

/** Waits for `count` exposures that caps count for a workspace; returns them by arrival. */
export function storedExposures(
  workspaceId: string,
  count: number,
  databaseUrl?: string,
): Promise<Exposure[]> {
  return eventually(async () => {
    const found = await sql(
      `SELECT user_id, campaign_id, event_type, occurred_at FROM exposures
       WHERE workspace_id = $1 ORDER BY occurred_at, id`,
      [workspaceId],
      databaseUrl,
    );
    expect(found.length).toBe(count);
    return found as Exposure[];
  });
}
