import { createHash, randomBytes } from 'node:crypto';
import { LOGIN_PREFIX } from '../../schema/analyst-login/statements.ts';
import type { Place, Sealed } from '../../schema/values/sealing.ts';
import { changeEntity, lockInWorkspace } from '../platform/change-entity.ts';
import type { AppDeps } from '../platform/context.ts';
import { countOf } from '../platform/database/count-of.ts';
import { requestJob } from '../platform/jobs/request-job.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';
import type { AnalystLoginCreate, AnalystLoginRevoke } from './analyst-login.contract.ts';
import { AnalystLogin } from './analyst-login.entity.ts';
import { applyAnalystLogins } from './apply-analyst-logins.job.ts';

/** A login for each tool and person of a team, in a cell that many workspaces share. */
const LOGINS_MAX = 20;
/** Too long to be guessed, even with the hash. */
const PASSWORD_BYTES = 24;
const USER_NAME_BYTES = 6;

type AnalystLoginWithPassword = { readonly id: string; readonly password: Sealed };

/** Creates a login for the viewer's workspace. It exists in ClickHouse about a second later. */
export async function analystLoginCreate(
  scope: ActionScope,
  { name }: AnalystLoginCreate,
): Promise<AnalystLoginWithPassword> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `analyst_logins of ${workspaceId}`);
  if ((await countOf(em, AnalystLogin, { workspaceId, revokedAt: null })) >= LOGINS_MAX)
    reject('TOO_MANY_ANALYST_LOGINS');
  const id = deps.newId();
  const userName = LOGIN_PREFIX + randomBytes(USER_NAME_BYTES).toString('hex');
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  await em.insert(AnalystLogin, {
    id,
    workspaceId,
    name,
    userName,
    passwordHash: createHash('sha256').update(password).digest('hex'),
    createdBy: viewer.userId,
    createdAt: new Date(deps.clock.nowMs()),
  });
  await audit({ action: 'analyst_login.create', subjectId: id, after: { name, userName } });
  await requestApplication(scope);
  // Sealed, because the idempotency record in Postgres stores the result.
  return { id, password: secretsOf(deps).seal(passwordPlace(id), password) };
}

/** Revokes a login permanently. A repeat changes nothing and writes no audit entry. */
export async function analystLoginRevoke(
  scope: ActionScope,
  { id }: AnalystLoginRevoke,
): Promise<{ readonly id: string }> {
  const login = await lockInWorkspace(scope, AnalystLogin, id, 'analyst login');
  if (login.revokedAt) return { id };
  const revokedAt = new Date(scope.deps.clock.nowMs());
  const shown = ({ revokedAt = null }: AnalystLogin) => ({ revokedAt });
  await changeEntity(scope, login, { revokedAt }, { action: 'analyst_login.revoke', shown });
  await requestApplication(scope);
  return { id };
}

/** The password of a new login. Null for a repeat that arrives after the key that sealed it was retired. */
export function passwordOf(
  deps: AppDeps,
  { id, password }: AnalystLoginWithPassword,
): string | null {
  const secrets = secretsOf(deps);
  return secrets.keyIds.includes(password.keyId) ? secrets.open(passwordPlace(id), password) : null;
}

async function requestApplication(scope: ActionScope): Promise<void> {
  const dueAt = new Date(scope.deps.clock.nowMs()).toISOString();
  await requestJob(scope, applyAnalystLogins, { dueAt });
}

function passwordPlace(rowId: string): Place {
  return { table: 'analyst_logins', rowId, field: 'password' };
}
