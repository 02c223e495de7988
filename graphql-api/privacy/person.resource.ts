import { z } from 'zod';
import { time } from '../platform/rest/time.contract.ts';
import { confirmedPersonContract } from './person.contract.ts';
import { digestOf } from './person-key.ts';

const ids = confirmedPersonContract.shape.userIds;
/** Belongs to the IDs of the examples. */
const CONFIRMATION = digestOf({ userIds: ['user-42'], anonymousIds: [] });

export const personLookupBody = z
  .strictObject({
    user_id: z.string().optional().meta({ example: 'user-42' }),
    contact_id: z.string().optional(),
    anonymous_id: z.string().optional(),
  })
  .meta({ id: 'PersonLookup' });

export const confirmedPersonBody = z
  .strictObject({
    user_ids: ids.meta({ example: ['user-42'] }),
    anonymous_ids: ids.meta({ example: [] }),
    confirmation: confirmedPersonContract.shape.confirmation.meta({ example: CONFIRMATION }),
  })
  .meta({ id: 'ConfirmedPerson' });

const tableResource = z
  .object({
    engine: z.enum(['POSTGRES', 'WAREHOUSE', 'INGEST']).meta({ example: 'WAREHOUSE' }),
    table: z.string().meta({ example: 'events_raw' }),
    outcome: z.enum(['DELETED', 'REDACTED', 'KEPT']).meta({ example: 'DELETED' }),
    before: z.int().nullable().meta({
      description:
        'The number of rows before the erasure; null if the rows are not counted. Copies of a row are counted once, as in reports.',
      example: 120,
    }),
    later: z.int().meta({
      description: 'The number of rows that arrived after the first pass and were deleted.',
      example: 0,
    }),
    left: z.int().nullable().meta({
      description:
        'The number of rows left after the most recent pass; null before the first pass ends, or if the rows are not counted.',
      example: 0,
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why rows are kept; null if they are deleted.', example: null }),
  })
  .meta({ id: 'PersonDataTable' });

export const footprintResource = z
  .object({
    user_ids: z.array(z.string()).meta({ example: ['user-42'] }),
    anonymous_ids: z.array(z.string()).meta({ example: ['anonymous-7'] }),
    shared_anonymous_ids: z.array(z.string()).meta({ example: [] }),
    other_contact_ids: z.array(z.string()).meta({ example: [] }),
    confirmation: z.string().meta({ example: CONFIRMATION }),
    tables: z.array(tableResource),
  })
  .meta({ id: 'PersonFootprint' });

export const personErasureResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    state: z
      .enum(['QUEUED', 'RUNNING', 'SETTLING', 'WATCHING', 'COMPLETED'])
      .meta({ example: 'SETTLING' }),
    digest: z.string().meta({
      description: 'A hash of all of the person’s IDs, equal to the confirmation in the request.',
      example: CONFIRMATION,
    }),
    late_days: z.int().meta({ example: 30 }),
    tables: z.array(tableResource),
    created_at: time,
    erased_at: time.nullable(),
    next_pass_at: time.nullable(),
    completed_at: time.nullable(),
  })
  .meta({ id: 'PersonErasure' });

export const personExportResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    download_path: z.string().meta({
      example: '/api/v1/people/exports/019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10/document',
    }),
    created_at: time,
    expires_at: time,
  })
  .meta({ id: 'PersonExport' });
