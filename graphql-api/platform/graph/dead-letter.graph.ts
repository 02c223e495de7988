import { type DeadLetter, deadLetterRedrive, deadLetters } from '../jobs/dead-letters.ts';
import { deadLetterRedriveContract, REDRIVEN_MAX } from '../operations.contract.ts';
import { builder } from './builder.ts';
import { pageCost } from './connection.ts';
import { expose } from './fields.ts';
import { mutation } from './mutation.ts';
import { encodeNodeId } from './node-id.ts';

const DeadLetterRef = builder.objectRef<DeadLetter>('DeadLetter').implement({
  description: 'A job that failed on its last attempt and is no longer retried.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'The ID to pass to `deadLetterRedrive`.',
      resolve: ({ id }) => encodeNodeId('DeadLetter', id),
    }),
    ...expose(t, 'String!', { job: 'The name of the job.' }),
    ...expose(t, 'JSON', { data: 'The input of the job.' }),
    ...expose(t, 'String!', { error: 'The error message from the last attempt.' }),
    ...expose(t, 'Int!', { attempts: 'The number of attempts.' }),
    ...expose(t, 'DateTime!', {
      askedAt: 'When the job was requested.',
      diedAt: 'When the last attempt failed.',
    }),
  }),
});

builder.queryField('deadLetters', t =>
  t.field({
    type: [DeadLetterRef],
    nullable: false,
    description: 'The jobs whose last attempt failed, newest first. Platform admins only.',
    authScopes: { platformAdmin: true },
    args: {
      first: t.arg.int({
        required: true,
        description: 'The maximum number of jobs to return, from 1 to 100.',
      }),
    },
    complexity: pageCost,
    resolve: (_root, { first }, { context }) => deadLetters(context, first),
  }),
);

mutation({
  name: 'deadLetterRedrive',
  description: `Retries failed jobs. Each job gets its full number of attempts again. With \`ids\`, either all of these jobs are retried or none are. With \`job\`, the ${REDRIVEN_MAX} oldest failures of that job are retried. Platform admins only.`,
  access: 'platformAdmin',
  input: t => ({
    ids: t.globalIDList({ description: 'The IDs of the failed jobs to retry.' }),
    job: t.string({
      description:
        'The name of a job, as an alternative to `ids`. At most 100 failures of the job are retried, oldest first.',
    }),
  }),
  contract: deadLetterRedriveContract,
  codes: ['NOT_FOUND', 'JOB_UNKNOWN'],
  action: deadLetterRedrive,
  payload: t => ({
    redriven: t.int({
      description: 'The number of jobs that were queued again.',
      resolve: ({ result }) => result?.redriven,
    }),
    hasMore: t.boolean({
      description: 'Whether the job has more failures to retry.',
      resolve: ({ result }) => result?.hasMore,
    }),
  }),
});
