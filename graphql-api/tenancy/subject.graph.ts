import { mutation } from '../platform/graph/mutation.ts';
import {
  platformSubjectContract,
  platformSubjectRestore,
  platformSubjectRevoke,
  subjectContract,
  subjectRestore,
  subjectRevoke,
} from './subject.actions.ts';

const USER_ID = 'The user, as in the claim `sub` of their tokens.';

mutation({
  name: 'subjectRevoke',
  description:
    'Refuses the tokens of a user in the viewer’s organization within seconds, until `subjectRestore`. Idempotent.',
  access: 'owner',
  input: t => ({ userId: t.string({ required: true, description: USER_ID }) }),
  contract: subjectContract,
  codes: ['TOO_MANY_REVOKED_SUBJECTS'],
  action: subjectRevoke,
  payload: t => ({
    userId: t.string({ description: USER_ID, resolve: ({ result }) => result?.userId ?? null }),
  }),
});

mutation({
  name: 'subjectRestore',
  description:
    'Accepts the tokens of a revoked user of the viewer’s organization again, unless a platform admin revoked the user.',
  access: 'owner',
  input: t => ({ userId: t.string({ required: true, description: USER_ID }) }),
  contract: subjectContract,
  codes: ['NOT_FOUND', 'FORBIDDEN'],
  action: subjectRestore,
  payload: t => ({
    userId: t.string({ description: USER_ID, resolve: ({ result }) => result?.userId ?? null }),
  }),
});

const ORGANIZATION_ID = 'The organization; null for all of them.';

mutation({
  name: 'platformSubjectRevoke',
  description:
    'Refuses the tokens of a user in one organization or in all, within seconds. Idempotent. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    userId: t.string({ required: true, description: USER_ID }),
    organizationId: t.globalID({ description: ORGANIZATION_ID }),
  }),
  contract: platformSubjectContract,
  codes: ['TOO_MANY_REVOKED_SUBJECTS'],
  action: platformSubjectRevoke,
  payload: t => ({
    userId: t.string({ description: USER_ID, resolve: ({ result }) => result?.userId ?? null }),
  }),
});

mutation({
  name: 'platformSubjectRestore',
  description:
    'Accepts the tokens of a user again whom `platformSubjectRevoke` or, in the named organization, an owner revoked. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    userId: t.string({ required: true, description: USER_ID }),
    organizationId: t.globalID({ description: ORGANIZATION_ID }),
  }),
  contract: platformSubjectContract,
  codes: ['NOT_FOUND'],
  action: platformSubjectRestore,
  payload: t => ({
    userId: t.string({ description: USER_ID, resolve: ({ result }) => result?.userId ?? null }),
  }),
});
