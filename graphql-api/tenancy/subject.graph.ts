import { type InputFields, mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import {
  platformSubjectContract,
  platformSubjectRestore,
  platformSubjectRevoke,
  subjectContract,
  subjectRestore,
  subjectRevoke,
} from './subject.actions.ts';

const USER_ID = 'The ID of the user: the `sub` claim in the user’s tokens.';

const input = (t: InputFields) => ({ userId: t.string({ required: true, description: USER_ID }) });

const shown = (t: PayloadFields<{ readonly userId: string }>) => ({
  userId: t.string({ description: USER_ID, resolve: ({ result }) => result?.userId ?? null }),
});

mutation({
  name: 'subjectRevoke',
  description:
    'Revokes a user’s access to the viewer’s organization until `subjectRestore` is called. The user’s tokens are refused within seconds. Idempotent.',
  access: 'owner',
  input,
  contract: subjectContract,
  codes: ['TOO_MANY_REVOKED_SUBJECTS'],
  action: subjectRevoke,
  payload: shown,
});

mutation({
  name: 'subjectRestore',
  description:
    'Restores a user’s access to the viewer’s organization after it was revoked. Fails if a platform admin revoked it.',
  access: 'owner',
  input,
  contract: subjectContract,
  codes: ['NOT_FOUND', 'FORBIDDEN'],
  action: subjectRestore,
  payload: shown,
});

const platformInput = (t: InputFields) => ({
  ...input(t),
  organizationId: t.globalID({
    description: 'The ID of the organization; null for all organizations.',
  }),
});

mutation({
  name: 'platformSubjectRevoke',
  description:
    'Revokes a user’s access to one organization or to all organizations. The user’s tokens are refused within seconds. Idempotent. Platform admins only.',
  access: 'platformAdmin',
  input: platformInput,
  contract: platformSubjectContract,
  codes: ['TOO_MANY_REVOKED_SUBJECTS'],
  action: platformSubjectRevoke,
  payload: shown,
});

mutation({
  name: 'platformSubjectRestore',
  description:
    'Restores a user’s access after it was revoked by a platform admin (with `platformSubjectRevoke`) or by an owner of the given organization. Platform admins only.',
  access: 'platformAdmin',
  input: platformInput,
  contract: platformSubjectContract,
  codes: ['NOT_FOUND'],
  action: platformSubjectRestore,
  payload: shown,
});
