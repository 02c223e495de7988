// How what is at the gateway already is changed: looked at, asked for, and written down
// with its audit entry once the gateway has said yes. Each of these changes may be asked for twice
// without harm, so a lost answer is repaired by asking again, or by the gateway's own event.

import type { EntityClass } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import type { ExactJson } from '../platform/exact-json.ts';
import { reject } from '../platform/rejected.ts';
import { runAction } from '../platform/run-action.ts';
import { accountById } from './client/accounts.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import { rejectFault } from './client/reject-fault.ts';
import type { Columns, GatewayRow } from './make-at-gateway.ts';

/** What the gateway told before we asked must not undo it, and its clock may be behind ours. */
const CLOCK_SKEW_MS = 5_000;

export type Changing<Row extends GatewayRow> = {
  readonly entity: EntityClass<Row>;
  readonly table: string;
  /** `gateway_link.cancel`: the noun, then what happened to it. */
  readonly action: string;
  readonly id: string;
  /** There is nothing to do. */
  readonly isDone?: (row: Row) => boolean;
  /** Why not; undefined where it may be. */
  readonly require: (row: Row) => string | undefined;
  readonly request: (row: Row) => GatewayRequest;
  readonly read: (body: ExactJson, row: Row) => Columns;
  /** For the audit log, beside the status. */
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
          message: 'The workspace has no such thing at the gateway.',
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
      // An event that came meanwhile knows better.
      const before = { id, status: row.status };
      const after = { status, statusAt: new Date(askedAtMs - CLOCK_SKEW_MS) };
      if (status !== undefined) await em.nativeUpdate(entity, before as never, after as never);
      await audit({
        action: changing.action,
        subjectType: changing.action.split('.')[0]!,
        subjectId: id,
        before: { status: row.status },
        after: { status: status ?? row.status, ...changing.shown },
      });
      return { id };
    },
    undefined,
  );
}
