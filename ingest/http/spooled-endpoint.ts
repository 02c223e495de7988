// An SDK endpoint whose rows go to the spool: 200 means that they are on disk. A body rejected by
// its contract is stored whole in rejected_events, like the rejected events of a batch, and the
// response contains the reason.

import { type Problem, statusOf } from '../../schema/values/problem.ts';
import type { EventLog } from '../accept/event-log.ts';
import { keepRefused } from '../accept/keep-refused.ts';
import type { ParsedObject } from '../accept/parse-object.ts';
import type { Account } from '../authenticate/directory.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { SdkRequest } from '../sdk-request.ts';
import type { Taps } from '../tail/tap.ts';
import { type CellOf, cellRefusal, UNAVAILABLE, writableLog } from './cell-refusal.ts';
import { postEndpoint, type SdkEndpointDeps, SUCCESS } from './sdk-endpoint.ts';
import type { Endpoint } from './server.ts';

export type SpooledEndpointDeps = SdkEndpointDeps & {
  readonly pipeline: CellOf;
  readonly metrics: Metrics;
  readonly taps: Taps;
};

export type Accept = (
  request: SdkRequest,
  body: ParsedObject,
  log: EventLog,
) => Problem | undefined;

/**
 * `accept` appends the rows of a body to the log, or returns a problem and appends nothing. It must
 * be synchronous, because the log accepts frames only in this turn of the event loop.
 */
export function spooledEndpoint(deps: SpooledEndpointDeps, path: string, accept: Accept): Endpoint {
  return postEndpoint(deps, {
    refusal: (account: Account) => cellRefusal(deps.pipeline, account),
    work: async (request, body) => {
      const log = writableLog(deps.pipeline, request.account);
      if (log === undefined) return UNAVAILABLE;
      const found = accept(request, body, log);
      if (found !== undefined && statusOf(found.code) === 400) {
        keepRefused(log, path, request, body, found);
        deps.metrics.eventsRejected.inc({ code: found.code });
      }
      await log.commit();
      if (found === undefined) deps.metrics.eventsAccepted.inc();
      if (found === undefined || statusOf(found.code) === 400)
        deps.taps.of(request.account.workspaceId)?.noteReport(body, path, request, found);
      return found ?? SUCCESS;
    },
  });
}
