// Changes an existing object at the gateway: load the row, call the gateway, and store the result
// with its audit entry once the gateway has confirmed. Each of these changes can be repeated
// safely, so a lost response is repaired by a retry or by the gateway's own event.

import type { EntityClass } from '@mikro-orm/postgresql';
import type { ExactJson } from '../../schema/values/exact-json.ts';
import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { runAction } from '../platform/run-action.ts';
import { accountById } from './client/accounts.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import { rejectFault } from './client/reject-fault.ts';
import type { Columns, GatewayRow } from './make-at-gateway.ts';

/**
 * A state that the gateway reported before our call must not overwrite the change. The gateway's
 * clock may be behind ours.
 */
const CLOCK_SKEW_MS = 5_000;

type Changing<Row extends GatewayRow> = {
  readonly entity: EntityClass<Row>;
  /** For the audit log, for example `gateway_link.cancel`. */
  readonly action: string;
  readonly id: string;
  /** Whether the row already has the requested state. */
  readonly isDone?: (row: Row) => boolean;
  /** Returns why the change is not allowed; undefined if it is allowed. */
  readonly require: (row: Row) => string | undefined;
  readonly request: (row: Row) => GatewayRequest;
  readonly read: (body: ExactJson, row: Row) => Columns;
  /** Additional values for the audit log. */
  readonly shown?: Columns;
};

export async function changeAtGateway<Row extends GatewayRow>(
  context: Context,
  changing: Changing<Row>,
): Promise<{ readonly id: string }> {
  const { entity, id } = changing;
  const { row, account } = await runAction(
    context,
    async ({ em, deps, viewer }) => {
      const workspaceId = viewer.workspaceId ?? reject('WORKSPACE_REQUIRED');
      const [found] = await em.find(entity as EntityClass<GatewayRow>, { id, workspaceId });
      if (found === undefined)
        return reject('NOT_FOUND', {
          field: ['id'],
          message: 'No object exists with this ID in the workspace.',
        });
      return { row: found as Row, account: await accountById(em, deps, found.accountId) };
    },
    undefined,
  );
  if (changing.isDone?.(row)) return { id };
  const reason = changing.require(row);
  if (reason !== undefined) return reject('GATEWAY_STATUS', { field: ['id'], message: reason });
  const askedAtMs = context.deps.clock.nowMs();
  const answer = await context.deps.gateway.call(account, changing.request(row));
  if (!answer.isOk) return rejectFault(answer.fault);
  const { status, ...others } = changing.read(answer.body, row);
  return runAction(
    context,
    async ({ em, deps, audit }) => {
      const now = new Date(deps.clock.nowMs());
      await em.nativeUpdate(entity, { id } as never, { ...others, updatedAt: now } as never);
      // Do not overwrite a status that an event set in the meantime.
      const before = { id, status: row.status };
      const after = { status, statusAt: new Date(askedAtMs - CLOCK_SKEW_MS) };
      if (status !== undefined) await em.nativeUpdate(entity, before as never, after as never);
      await audit({
        action: changing.action,
        subjectId: id,
        before: { status: row.status },
        after: { status: status ?? row.status, ...changing.shown },
      });
      return { id };
    },
    undefined,
  );
}
