import { reject } from '../../platform/rejected.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import type { RejectedEventsReplayRequest, ReplayRequest } from './replay.contract.ts';
import { requestReplay } from './request-replay.ts';

export type AskedReplay = {
  readonly id?: string;
  /** The request to try after the transaction. Nothing is stored for it. */
  readonly dryRun?: ReplayRequest;
};

export async function askForReplay(
  scope: ActionScope,
  { dryRun: isDryRun, ...request }: RejectedEventsReplayRequest,
): Promise<AskedReplay> {
  const { since, until } = request;
  if (until !== undefined && until <= since)
    return reject('INVALID_RANGE', { field: ['until'], message: '`until` must be after `since`.' });
  return isDryRun ? { dryRun: request } : requestReplay(scope, request);
}
