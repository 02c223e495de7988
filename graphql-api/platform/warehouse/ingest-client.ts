// A client for ingest's internal endpoints.

import type { IngestConfig } from '../config.ts';
import { currentRequestId } from '../observe/request-id.ts';

export type IngestAnswer = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
};

export type IngestClient = {
  /** Throws IngestAway if ingest is not available. */
  post(
    path: '/internal/rows' | '/internal/batch',
    query: Query,
    body: string,
  ): Promise<IngestAnswer>;
};

type Query = Readonly<Record<string, string>>;

/** Ingest is unreachable, too slow, or of another installation. Affects all requests. */
export class IngestAway extends Error {
  /** Needs a change of the configuration. */
  readonly isMisconfigured: boolean;

  constructor(message: string, isMisconfigured = false) {
    super(message);
    this.name = 'IngestAway';
    this.isMisconfigured = isMisconfigured;
  }
}

/** A response normally takes a few ms, which is one disk sync. */
const ANSWER_TIMEOUT_MS = 5_000;

export function createIngestClient({ url, token }: IngestConfig): IngestClient {
  return {
    async post(path, query, body) {
      const address = new URL(path, url);
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
      const answer = await ask(address, token, body).catch((error: Error) => {
        const { cause } = error;
        throw new IngestAway(
          `ingest is not responding: ${cause instanceof Error ? cause.message : error.message}`,
        );
      });
      if (answer.status === 401) throw new IngestAway('ingest rejected the INTERNAL_TOKEN', true);
      if (answer.status === 404 && answer.body.code !== 'WORKSPACE_NOT_FOUND')
        throw new IngestAway(
          'ingest has no internal endpoints: its INTERNAL_TOKEN is not set',
          true,
        );
      return answer;
    },
  };
}

async function ask(address: URL, token: string, body: string): Promise<IngestAnswer> {
  const requestId = currentRequestId();
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(requestId !== undefined && { 'x-request-id': requestId }),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as IngestAnswer['body'] };
}
