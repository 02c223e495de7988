// The ID of the request or job that the current code works for. Log lines, requests to ingest and
// requested jobs get it from here, so that one ID finds all of them.

import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

export function withRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
