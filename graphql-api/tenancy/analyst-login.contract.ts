import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { time } from '../platform/rest/time.contract.ts';
import { ANALYST_LOGIN_STATES, type AnalystLoginState } from './analyst-login.entity.ts';

const NAME_CHARACTERS_MAX = 100;

const name = requiredText(NAME_CHARACTERS_MAX).meta({
  description: 'The name of the login, for example the name of the tool that uses it.',
  example: 'Metabase',
});

export const analystLoginCreateContract = z.strictObject({ name });
export type AnalystLoginCreate = z.output<typeof analystLoginCreateContract>;

export const analystLoginRevokeContract = z.strictObject({ id: z.uuid() });
export type AnalystLoginRevoke = z.output<typeof analystLoginRevokeContract>;

export const analystLoginCreateBody = z.strictObject({ name }).meta({ id: 'AnalystLoginCreate' });

export const analystLoginResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    name: z.string().meta({ example: 'Metabase' }),
    user_name: z.string().meta({
      description: 'The ClickHouse user name.',
      example: 'analyst_4f6d5b8f9a10',
    }),
    state: z.enum(Object.keys(ANALYST_LOGIN_STATES) as [AnalystLoginState]).meta({
      description:
        'PENDING until the login exists in ClickHouse, then ACTIVE; REVOKING until it is removed from ClickHouse, then REVOKED.',
      example: 'ACTIVE',
    }),
    url: z.string().nullable().meta({
      description: 'The URL of ClickHouse’s HTTP interface.',
      example: 'https://warehouse.example.com:8443',
    }),
    database: z.string().nullable().meta({
      description:
        'The name of the ClickHouse database that contains the tables; null until the login exists in ClickHouse.',
      example: 'default',
    }),
    created_at: time,
    revoked_at: time.nullable().meta({ example: null }),
  })
  .meta({ id: 'AnalystLogin' });
export type AnalystLoginResource = z.output<typeof analystLoginResource>;

export const analystPassword = z.string().nullable().meta({
  description:
    'The password. It is returned only in this response and in responses to repeated requests with the same idempotency key.',
  example: 'ahVb2dQzX0mLk7pYt4sNf9aRceJw3u',
});
