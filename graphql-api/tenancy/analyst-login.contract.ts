import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { ANALYST_LOGIN_STATES, type AnalystLoginState } from './analyst-login.entity.ts';

const NAME_CHARACTERS_MAX = 100;

const name = requiredText(NAME_CHARACTERS_MAX).meta({
  description: 'What people call the login, such as the tool that uses it.',
  example: 'Metabase',
});

export const analystLoginCreateContract = z.strictObject({ name });
export type AnalystLoginCreate = z.output<typeof analystLoginCreateContract>;

export const analystLoginRevokeContract = z.strictObject({ id: z.uuid() });
export type AnalystLoginRevoke = z.output<typeof analystLoginRevokeContract>;

export const analystLoginCreateBody = z.strictObject({ name }).meta({ id: 'AnalystLoginCreate' });

const time = z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' });

export const analystLoginResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    name: z.string().meta({ example: 'Metabase' }),
    user_name: z.string().meta({
      description: 'The user to name to ClickHouse.',
      example: 'analyst_4f6d5b8f9a10',
    }),
    state: z.enum(Object.keys(ANALYST_LOGIN_STATES) as [AnalystLoginState]).meta({
      description:
        'PENDING until ClickHouse knows the login, then ACTIVE; REVOKING until ClickHouse has removed it, then REVOKED.',
      example: 'ACTIVE',
    }),
    url: z.string().nullable().meta({
      description: 'The address of ClickHouse’s HTTP port.',
      example: 'https://warehouse.example.com:8443',
    }),
    database: z.string().nullable().meta({
      description: 'The database that has the tables; null until ClickHouse knows the login.',
      example: 'default',
    }),
    created_at: time,
    revoked_at: time.nullable().meta({ example: null }),
  })
  .meta({ id: 'AnalystLogin' });
export type AnalystLoginResource = z.output<typeof analystLoginResource>;

export const analystPassword = z.string().nullable().meta({
  description: 'Returned only once, and again if the request is repeated with its idempotency key.',
  example: 'ahVb2dQzX0mLk7pYt4sNf9aRceJw3u',
});
