// How anything is made at the gateway. First our row, with the id that we give it, in a transaction of
// its own; then the call, in none, under that id as its idempotency key; then what came of it. A lost
// answer leaves the row in CREATING: the same mutation with the same key takes it up again, looks
// whether the thing is there, and else asks for it under the same id. So it is never made twice.

import type { EntityClass, EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import type { ExactJson } from '../platform/exact-json.ts';
import { canonicalJson } from '../platform/idempotently.ts';
import { reject } from '../platform/rejected.ts';
import { type ActionScope, runAction, runPlatformAction } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';
import { accountById, accountOfWorkspace } from './client/accounts.ts';
import type { GatewayAccount, GatewayRequest } from './client/gateway-client.ts';
import { type GatewayFault, isConflict } from './client/gateway-fault.ts';
import { refusalText, rejectFault } from './client/reject-fault.ts';

/** What all rows of things at the gateway have. */
export type GatewayRow = {
  id: string;
  accountId: string;
  workspaceId?: string | null | undefined;
  status: string;
  requestHash?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  errorCode?: string | null | undefined;
  errorMessage?: string | null | undefined;
};

export type Columns = Readonly<Record<string, unknown>>;

export type Draft = {
  readonly columns: Columns;
  /** In the audit log. */
  readonly shown: Columns;
  /** Whose it is, where it isn't the viewer's. */
  readonly organizationId?: string;
};

/** Everything that differs between links, orders, …. */
export type Making<Row extends GatewayRow, Input> = {
  readonly entity: EntityClass<Row>;
  readonly table: string;
  /** For the audit log: `gateway_link`. */
  readonly noun: string;
  /** By the platform, for itself: it sees all, and works in its own account. */
  readonly isPlatform?: boolean;
  /** Checks what can be checked here; its row's own columns, and what the audit log shows. */
  readonly draft: (
    scope: ActionScope,
    input: Input,
    made: { readonly id: string; readonly account: GatewayAccount },
  ) => Promise<Draft>;
  readonly create: (row: Row, input: Input) => GatewayRequest;
  readonly look: (row: Row) => GatewayRequest;
  /** What the answer says of it. */
  readonly read: (body: ExactJson, row: Row) => Columns;
  /** Whether what is there under our id is what we asked for. */
  readonly isSame: (body: ExactJson, row: Row) => boolean;
  /** Whether what only the answer tells is there: that the thing exists may be known without it. */
  readonly isAnswered?: (row: Row) => boolean;
};

const CONFLICT = 409;

type Begun<Row> = { readonly row: Row; readonly account: GatewayAccount; readonly isNew: boolean };

export async function makeAtGateway<Row extends GatewayRow, Input>(
  context: Context,
  making: Making<Row, Input>,
  input: Input,
  idempotencyKey: string | undefined,
): Promise<{ readonly id: string }> {
  const key = idempotencyKey ?? reject('INVALID_IDEMPOTENCY_KEY');
  const { row, account, isNew } = await inTransaction(context, making, scope =>
    begin(scope, making, input, key),
  );
  if (row.status === 'REFUSED')
    return reject('GATEWAY_REFUSED', {
      message: refusalText(row.errorCode ?? 'unknown', row.errorMessage ?? 'It gave no reason.'),
    });
  const isOpen = row.status === 'CREATING';
  if (!isOpen && (making.isAnswered?.(row) ?? true)) return { id: row.id };
  const outcome = await makeOrFind(context, making, { row, account, input, isNew });
  await inTransaction(context, making, scope => settle(scope, making, row, outcome));
  if ('fault' in outcome && isOpen) return rejectFault(outcome.fault);
  return { id: row.id };
}

function inTransaction<Row extends GatewayRow, Input, O>(
  context: Context,
  { isPlatform }: Making<Row, Input>,
  work: (scope: ActionScope) => Promise<O>,
): Promise<O> {
  const run = isPlatform ? runPlatformAction : runAction;
  return run(context, scope => work(scope), undefined);
}

/** The row: made now, or by an earlier request with the same key. */
async function begin<Row extends GatewayRow, Input>(
  scope: ActionScope,
  making: Making<Row, Input>,
  input: Input,
  idempotencyKey: string,
): Promise<Begun<Row>> {
  const { em, deps, viewer } = scope;
  const workspaceId = making.isPlatform
    ? undefined
    : (viewer.workspaceId ?? reject('WORKSPACE_REQUIRED'));
  const hashes = hashesOf(scope, making, input);
  // Of two at once, the second waits here until the first has its row.
  await em.execute('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [
    `${making.table} ${workspaceId ?? 'platform'} ${idempotencyKey}`,
  ]);
  const earlier = await earlierRow(em, making, workspaceId, idempotencyKey);
  if (earlier !== undefined) {
    if (!hashes.includes(earlier.requestHash ?? '')) return reject('IDEMPOTENCY_KEY_MISMATCH');
    return { row: earlier, account: await accountById(em, deps, earlier.accountId), isNew: false };
  }
  const account = await accountOfWorkspace(em, deps, workspaceId);
  const id = deps.newId();
  const { columns, shown, organizationId } = await making.draft(scope, input, { id, account });
  const now = new Date(deps.clock.nowMs());
  await em.insert(making.entity, {
    id,
    accountId: account.accountId,
    ...(workspaceId !== undefined && { workspaceId }),
    status: 'CREATING',
    requestHash: hashes[0],
    idempotencyKey,
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
    ...columns,
  } as never);
  await scope.audit({
    action: `${making.noun}.create`,
    subjectType: making.noun,
    subjectId: id,
    after: shown,
    ...(organizationId !== undefined && { organizationId, workspaceId: null }),
  });
  const row = await rowById(em, making, id);
  const isElsewhere = row.accountId !== account.accountId;
  const ofRow = isElsewhere ? await accountById(em, deps, row.accountId) : account;
  return { row, account: ofRow, isNew: true };
}

async function earlierRow<Row extends GatewayRow, Input>(
  em: EntityManager,
  making: Making<Row, Input>,
  workspaceId: string | undefined,
  idempotencyKey: string,
): Promise<Row | undefined> {
  const [found] = await em.execute<{ id: string }[]>(
    `SELECT id FROM ${making.table}
     WHERE coalesce(workspace_id, '00000000-0000-0000-0000-000000000000')
           = coalesce(?::uuid, '00000000-0000-0000-0000-000000000000')
       AND idempotency_key = ?`,
    [workspaceId ?? null, idempotencyKey],
  );
  return found && rowById(em, making, found.id);
}

async function rowById<Row extends GatewayRow, Input>(
  em: EntityManager,
  { entity }: Making<Row, Input>,
  id: string,
): Promise<Row> {
  const [row] = await em.find(entity as EntityClass<GatewayRow>, { id });
  return row as Row;
}

/** Of what was asked, by whom; keyed, since a customer's number can be guessed. By each key that is
 * configured, so that a repeat is known after one was replaced. */
function hashesOf<Row extends GatewayRow, Input>(
  { viewer, deps }: ActionScope,
  { noun }: Making<Row, Input>,
  input: Input,
): readonly string[] {
  const request = canonicalJson([noun, viewer.userId, input]);
  return secretsOf(deps).blindIndexes('gateway request', request);
}

type Outcome = { readonly body: ExactJson } | { readonly fault: GatewayFault };

async function makeOrFind<Row extends GatewayRow, Input>(
  { deps }: Context,
  making: Making<Row, Input>,
  { row, account, input, isNew }: Begun<Row> & { readonly input: Input },
): Promise<Outcome> {
  if (!isNew) {
    const found = await find();
    if (found !== 'nothing') return found;
  }
  const answer = await deps.gateway.call(account, making.create(row, input));
  if (answer.isOk) return answer;
  const { fault } = answer;
  if (fault.kind !== 'REFUSED' || !(isConflict(fault) || fault.mayBeDone)) return { fault };
  const found = await find();
  if (found !== 'nothing') return found;
  // Another request for it is under way there.
  return { fault: fault.status === CONFLICT ? unclear(fault) : fault };

  async function find(): Promise<Outcome | 'nothing'> {
    const looked = await deps.gateway.call(account, making.look(row));
    if (looked.isOk)
      return making.isSame(looked.body, row) ? looked : { fault: otherThing(looked) };
    const isNothing = looked.fault.kind === 'REFUSED' && looked.fault.status === 404;
    return isNothing
      ? 'nothing'
      : { fault: looked.fault.kind === 'REFUSED' ? unclear(looked.fault) : looked.fault };
  }
}

/** Nobody else gives our ids, so this is a defect, theirs or ours; nothing may go on with it. */
function otherThing({ requestId }: { readonly requestId: string }): GatewayFault {
  const message = 'There is another thing with this id.';
  return { kind: 'REFUSED', code: 'not_what_was_asked_for', message, requestId };
}

/** A question that was refused says nothing of what was asked for before. */
function unclear(fault: GatewayFault): GatewayFault {
  return { ...fault, kind: 'UNKNOWN' };
}

/** An event may have come first, and knows better how far it is. */
async function settle<Row extends GatewayRow, Input>(
  { em, deps }: ActionScope,
  making: Making<Row, Input>,
  row: Row,
  outcome: Outcome,
): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const [current] = await em.execute<{ status: string }[]>(
    `SELECT status FROM ${making.table} WHERE id = ? FOR UPDATE`,
    [row.id],
  );
  const isAsked = current?.status === 'CREATING';
  if ('fault' in outcome) {
    if (!isAsked) return;
    const { kind, code, message } = outcome.fault;
    const columns: Columns = {
      ...(kind === 'REFUSED' && { status: 'REFUSED' }),
      errorCode: code,
      errorMessage: message,
      updatedAt: now,
    };
    await em.nativeUpdate(making.entity, { id: row.id } as never, columns as never);
    return;
  }
  const { status, ...others } = making.read(outcome.body, row);
  // That it is there outweighs what another request for it was told.
  const isNews = isAsked || current?.status === 'REFUSED';
  const columns = {
    ...others,
    ...(isNews && { status }),
    errorCode: null,
    errorMessage: null,
    checkedAt: now,
    updatedAt: now,
  };
  await em.nativeUpdate(making.entity, { id: row.id } as never, columns as never);
}
