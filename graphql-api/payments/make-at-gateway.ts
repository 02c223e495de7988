// Creates an object at the gateway. First we insert our row with a minted ID, in a transaction.
// Then we call the gateway outside any transaction, with that ID as the idempotency key. Then we
// store the result. If the response is lost, the row stays in CREATING. The same mutation with the
// same key resumes it: it looks the object up and creates it under the same ID only if it does not
// exist. So no object is created twice.

import { type EntityClass, type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { ExactJson } from '../../schema/values/exact-json.ts';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { canonicalJson } from '../platform/idempotently.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { reject } from '../platform/rejected.ts';
import { type ActionScope, runAction, runPlatformAction } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';
import { accountById, accountOfWorkspace } from './client/accounts.ts';
import type { GatewayAccount, GatewayRequest } from './client/gateway-client.ts';
import { type GatewayFault, isConflict } from './client/gateway-fault.ts';
import { refusalText, rejectFault } from './client/reject-fault.ts';
import type { GatewayLink } from './link.entity.ts';
import type { objectColumns } from './object-columns.ts';

/** The columns that every table of gateway objects has. */
export type GatewayRow = Pick<GatewayLink, keyof ReturnType<typeof objectColumns>>;

export type Columns = Readonly<Record<string, unknown>>;

export type Draft = {
  readonly columns: Columns;
  /** Values for the audit log. */
  readonly shown: Columns;
  /** The organization for the audit entry, if it is not the viewer's. */
  readonly organizationId?: string;
};

/** The differences between links, orders and the other kinds of objects. */
export type Making<Row extends GatewayRow, Input> = {
  readonly entity: EntityClass<Row>;
  /** The subject type in the audit log, for example `gateway_link`. */
  readonly noun: string;
  /** Created by a platform admin in the platform's own account, outside any workspace. */
  readonly isPlatform?: boolean;
  /** Validates the input. Returns the columns of the row and the values for the audit log. */
  readonly draft: (
    scope: ActionScope,
    input: Input,
    made: { readonly id: string; readonly account: GatewayAccount },
  ) => Promise<Draft>;
  readonly create: (row: Row, input: Input) => GatewayRequest;
  readonly look: (row: Row) => GatewayRequest;
  /** Reads the columns that the gateway's response provides. */
  readonly read: (body: ExactJson, row: Row) => Columns & { readonly status?: string };
  /** Whether the object found under our ID matches our request. */
  readonly isSame: (body: ExactJson, row: Row) => boolean;
  /**
   * Whether the row has the values that only the response to the creation provides. An event can
   * make the object known without them.
   */
  readonly isAnswered?: (row: Row) => boolean;
};

const CONFLICT = 409;

type Begun = {
  readonly row: GatewayRow;
  readonly account: GatewayAccount;
  readonly isNew: boolean;
};

/** The process of a mutation that creates such an object. */
export function makeAtGateway<Row extends GatewayRow, Input>(making: Making<Row, Input>) {
  const anyMaking = making as unknown as AnyMaking;
  return (context: Context, input: Input, idempotencyKey: string | undefined) =>
    make(context, anyMaking, input, idempotencyKey ?? reject('INVALID_IDEMPOTENCY_KEY'));
}

/** Its functions are only called with its own rows and inputs. */
type AnyMaking = Making<GatewayRow, unknown>;

async function make(
  context: Context,
  making: AnyMaking,
  input: unknown,
  key: string,
): Promise<{ readonly id: string }> {
  const { row, account, isNew } = await inTransaction(context, making, scope =>
    begin(scope, making, input, key),
  );
  if (row.status === 'REFUSED')
    return reject('GATEWAY_REFUSED', {
      message: refusalText(
        row.errorCode ?? 'unknown',
        row.errorMessage ?? 'The gateway gave no reason.',
      ),
    });
  const isOpen = row.status === 'CREATING';
  if (!isOpen && (making.isAnswered?.(row) ?? true)) return { id: row.id };
  const outcome = await makeOrFind(context, making, { row, account, input, isNew });
  await inTransaction(context, making, scope => settle(scope, making, row, outcome));
  if ('fault' in outcome && isOpen) return rejectFault(outcome.fault);
  return { id: row.id };
}

function inTransaction<O>(
  context: Context,
  { isPlatform }: AnyMaking,
  work: (scope: ActionScope) => Promise<O>,
): Promise<O> {
  const run = isPlatform ? runPlatformAction : runAction;
  return run(context, scope => work(scope), undefined);
}

/** The row, inserted now or by an earlier request with the same key. */
async function begin(
  scope: ActionScope,
  making: AnyMaking,
  input: unknown,
  idempotencyKey: string,
): Promise<Begun> {
  const { em, deps, viewer } = scope;
  const workspaceId = making.isPlatform
    ? undefined
    : (viewer.workspaceId ?? reject('WORKSPACE_REQUIRED'));
  const hashes = hashesOf(scope, making, input);
  // A concurrent request with the same key waits here until the first one has inserted its row.
  const { tableName } = em.getMetadata(making.entity);
  await oneAtATime(scope, `${tableName} ${workspaceId ?? 'platform'} ${idempotencyKey}`);
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
    subjectId: id,
    after: shown,
    ...(organizationId !== undefined && { organizationId, workspaceId: null }),
  });
  const row = await rowById(em, making, id);
  const isElsewhere = row.accountId !== account.accountId;
  const ofRow = isElsewhere ? await accountById(em, deps, row.accountId) : account;
  return { row, account: ofRow, isNew: true };
}

async function earlierRow(
  em: EntityManager,
  making: AnyMaking,
  workspaceId: string | undefined,
  idempotencyKey: string,
): Promise<GatewayRow | undefined> {
  // As in the unique index, in which the platform's objects have the nil UUID.
  const [found] = await rowsOf(
    em,
    sql<{ id: string }>`
      SELECT id FROM ${sql.table(em.getMetadata(making.entity).tableName)}
      WHERE coalesce(workspace_id, ${NIL}) = ${workspaceId ?? NIL}
        AND idempotency_key = ${idempotencyKey}`,
  );
  return found && rowById(em, making, found.id);
}

const NIL = sql.raw("'00000000-0000-0000-0000-000000000000'");

async function rowById(em: EntityManager, { entity }: AnyMaking, id: string): Promise<GatewayRow> {
  const [row] = await em.find(entity, { id });
  return row!;
}

/**
 * Hashes of the request and the viewer. They are keyed, because a customer's phone number could be
 * guessed from a plain hash. One hash per configured key, so that a repeat is recognized after a
 * key rotation.
 */
function hashesOf(
  { viewer, deps }: ActionScope,
  { noun }: AnyMaking,
  input: unknown,
): readonly string[] {
  const request = canonicalJson([noun, viewer.userId, input]);
  return secretsOf(deps).blindIndexes('gateway request', request);
}

type Outcome = { readonly body: ExactJson } | { readonly fault: GatewayFault };

async function makeOrFind(
  { deps }: Context,
  making: AnyMaking,
  { row, account, input, isNew }: Begun & { readonly input: unknown },
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
  // Another request is creating the object at the same time.
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

/**
 * Nothing else creates objects under our IDs, so this is a defect of the gateway or of this
 * service. Do not continue with the object.
 */
function otherThing({ requestId }: { readonly requestId: string }): GatewayFault {
  const message = 'A different object with this ID already exists.';
  return { kind: 'REFUSED', code: 'not_what_was_asked_for', message, requestId };
}

/** A rejected lookup does not reveal whether the earlier request took effect. */
function unclear(fault: GatewayFault): GatewayFault {
  return { ...fault, kind: 'UNKNOWN' };
}

/** An event may have arrived first. It has the newer status. */
async function settle(
  { em, deps }: ActionScope,
  making: AnyMaking,
  row: GatewayRow,
  outcome: Outcome,
): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const current = await em.findOne(making.entity, { id: row.id }, { lockMode, refresh: true });
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
    await em.nativeUpdate(making.entity, { id: row.id }, columns);
    return;
  }
  const { status, ...others } = making.read(outcome.body, row);
  // The object exists, so an earlier rejection of a concurrent request no longer applies.
  const isNews = isAsked || current?.status === 'REFUSED';
  const columns = {
    ...others,
    ...(isNews && { status }),
    errorCode: null,
    errorMessage: null,
    checkedAt: now,
    updatedAt: now,
  };
  await em.nativeUpdate(making.entity, { id: row.id }, columns);
}
