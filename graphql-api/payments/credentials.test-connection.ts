import { mintId } from '../../schema/gateway/minted-id.ts';
import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { runAction } from '../platform/run-action.ts';
import { accountOfWorkspace } from './client/accounts.ts';
import { rejectFault } from './client/reject-fault.ts';
import { GatewayCredentials } from './credentials.entity.ts';

type CredentialsTested = {
  readonly isAccepted: boolean;
  /** `OK`, or the gateway's error code. */
  readonly code: string;
  readonly message: string;
};

/**
 * Requests an order that does not exist. A 404 proves that the gateway accepts the credentials.
 * Nothing is created.
 */
export async function gatewayCredentialsTest(context: Context): Promise<CredentialsTested> {
  const { deps } = context;
  const account = await runAction(
    context,
    ({ em, viewer }) =>
      accountOfWorkspace(em, deps, viewer.workspaceId ?? reject('WORKSPACE_REQUIRED')),
    undefined,
  );
  const orderId = mintId('order', account.accountId, deps.newId());
  const answer = await deps.gateway.call(account, {
    method: 'GET',
    path: ['orders', orderId],
    call: 'getOrder',
  });
  const fault = answer.isOk ? undefined : answer.fault;
  const isKnown = fault === undefined || (fault.kind === 'REFUSED' && fault.status === 404);
  if (fault !== undefined && !isKnown && fault.kind !== 'DENIED') return rejectFault(fault);
  const tested = isKnown
    ? { isAccepted: true, code: 'OK', message: 'The payment gateway accepts the credentials.' }
    : { isAccepted: false, code: fault.code, message: fault.message };
  return runAction(
    context,
    async ({ em, viewer, audit }) => {
      const workspaceId = viewer.workspaceId!;
      const { clientId } = account;
      // Update only the credentials that were tested; others may have been set in the meantime.
      await em.nativeUpdate(
        GatewayCredentials,
        {
          workspaceId,
          $or: [{ clientId }, ...(account.accountId === workspaceId ? [] : [{ clientId: null }])],
        },
        { checkedAt: new Date(deps.clock.nowMs()), checkResult: tested.code },
      );
      await audit({
        action: 'gateway_credentials.test',
        subjectId: workspaceId,
        after: { result: tested.code },
      });
      return tested;
    },
    undefined,
  );
}
