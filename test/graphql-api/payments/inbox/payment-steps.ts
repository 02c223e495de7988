// What tests of the inbox do and read: a payment that earns a reward, and the wallet of its referrer.

import { randomUUID } from 'node:crypto';
import { PLATFORM_ACCOUNT_ID } from '../../../../schema/gateway/account.ts';
import { insertLink, insertReferral, type Scene } from './scene.ts';

export function paymentSteps(scene: () => Scene) {
  /** A link with which a referred organization pays the platform. */
  async function billing() {
    const { referrerId, refereeId } = await insertReferral(scene());
    const link = await insertLink(scene(), {
      accountId: PLATFORM_ACCOUNT_ID,
      payerOrganizationId: refereeId,
    });
    return { referrerId, refereeId, ...link, paymentId: `p${randomUUID()}` };
  }

  /** A workspace with its own merchant account. */
  async function byom() {
    const { workspaceId, organizationId } = await scene().tenant();
    return { workspaceId, organizationId, accountId: workspaceId };
  }

  async function walletOf(organizationId: string) {
    const rows = await scene().sql(
      `SELECT kind, balance_minor FROM ledger_accounts WHERE organization_id = $1 AND balance_minor <> 0`,
      [organizationId],
    );
    return Object.fromEntries(rows.map(({ kind, balance_minor }) => [kind, Number(balance_minor)]));
  }

  /** Makes events due that wait for another one. */
  async function wake(): Promise<void> {
    await scene().sql(
      `UPDATE gateway_events SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL`,
    );
  }

  return { billing, byom, wake, walletOf };
}
