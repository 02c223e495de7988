import type { DeadLetter } from '../../jobs/dead-letters.ts';
import { deadLetters } from '../../reads/dead-letters.ts';
import { builder } from '../builder.ts';
import { pageCost } from '../connection.ts';

const DeadLetterRef = builder.objectRef<DeadLetter>('DeadLetter').implement({
  description: 'A job that was given up after its last attempt.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: t.exposeString('id', { nullable: false, description: 'Of the queue.' }),
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
