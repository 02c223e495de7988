import { deadLetters } from '../jobs/dead-letter.reads.ts';
import { deadLetterRedrive } from '../jobs/dead-letter.redrive.ts';
import type { DeadLetter } from '../jobs/dead-letters.ts';
import { deadLetterRedriveContract, REDRIVEN_MAX } from '../operations.contract.ts';
import { builder } from './builder.ts';
import { pageCost } from './connection.ts';
import { mutation } from './mutation.ts';
import { encodeNodeId } from './node-id.ts';

const DeadLetterRef = builder.objectRef<DeadLetter>('DeadLetter').implement({
  description: 'A job that was given up after its last attempt.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'What deadLetterRedrive takes.',
      resolve: ({ id }) => encodeNodeId('DeadLetter', id),
    }),
    job: t.exposeString('job', { nullable: false, description: 'Which job it was.' }),
    data: t.expose('data', { type: 'JSON', description: 'What it was told.' }),
    error: t.exposeString('error', {
      nullable: false,
      description: 'Why the last attempt failed.',
    }),
    attempts: t.exposeInt('attempts', { nullable: false, description: 'How often it was tried.' }),
    askedAt: t.expose('askedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was asked for.',
    }),
    diedAt: t.expose('diedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was given up.',
    }),
  }),
});

builder.queryField('deadLetters', t =>
  t.field({
    type: [DeadLetterRef],
    nullable: false,
    description: 'The jobs that were given up, the latest first, for platform admins.',
    authScopes: { platformAdmin: true },
    args: {
      first: t.arg.int({ required: true, description: 'How many at most: 1 to 100.' }),
    },
    complexity: pageCost,
    resolve: (_root, { first }, { context }) => deadLetters(context, first),
  }),
);

mutation({
  name: 'deadLetterRedrive',
  description: `Has jobs that were given up tried again, with all their attempts, for platform admins: some by their ids, all of them or none, or those of one job, the oldest ${REDRIVEN_MAX}.`,
  access: 'platformAdmin',
  input: t => ({
    ids: t.globalIDList({ description: 'The dead letters.' }),
    job: t.string({ description: 'Or which job’s.' }),
  }),
  contract: deadLetterRedriveContract,
  codes: ['NOT_FOUND', 'JOB_UNKNOWN'],
  action: deadLetterRedrive,
  payload: t => ({
    redriven: t.int({
      description: 'How many wait to be tried again now.',
      resolve: ({ result }) => result?.redriven,
    }),
    hasMore: t.boolean({
      description: 'Whether the job has more of them.',
      resolve: ({ result }) => result?.hasMore,
    }),
  }),
});
