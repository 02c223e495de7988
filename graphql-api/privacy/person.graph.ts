import type { ObjectRef } from '@pothos/core';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { workspaceOf } from '../platform/permit.ts';
import {
  COUNT_POINTS,
  FIND_POINTS,
  type Footprint,
  footprintTables,
  personFootprint,
} from './footprint.reads.ts';
import { parseContract } from './parse-contract.ts';
import { EXPORT_HOURS, personExport, privacySettingsUpdate } from './person.actions.ts';
import {
  confirmedPersonContract,
  LATE_DAYS_MAX,
  personLookupContract,
  privacySettingsUpdateContract,
} from './person.contract.ts';
import { confirmedPersonInput, TableReceiptRef } from './person-erasure.graph.ts';
import { PersonExport } from './person-export.entity.ts';
import { exportPath } from './person-export.rest.ts';
import { lateDaysOf } from './privacy-settings.reads.ts';

const FootprintRef = builder.objectRef<Footprint>('PersonFootprint').implement({
  description: 'A person’s stored data: all IDs, and the number of rows in each table.',
  authScopes: { owner: true },
  fields: t => ({
    ...expose(t, '[String!]!', {
      userIds: 'The user IDs and contact IDs of the person.',
      anonymousIds: 'The anonymous IDs of devices that only this person used.',
      sharedAnonymousIds:
        'The anonymous IDs of devices that were also used by other people. Rows with these IDs belong to the person only if they also contain one of the person’s user IDs.',
      otherContactIds:
        'The IDs of other contacts that occur in the person’s rows. An erasure or export does not include the other contacts’ own rows.',
    }),
    ...expose(t, 'String!', {
      confirmation:
        'The confirmation to pass to `personErase` or `personExport` with exactly these `userIds` and `anonymousIds`.',
    }),
    tables: t.field({
      type: [TableReceiptRef],
      nullable: false,
      description:
        'The person’s rows in each table, and the effect of an erasure on them. Counting the rows can take minutes. You can query `confirmation` without this field.',
      complexity: COUNT_POINTS,
      resolve: (footprint, _args, { context }) => footprintTables(context, footprint),
    }),
  }),
});

builder.queryField('personFootprint', t =>
  t.field({
    type: FootprintRef,
    description:
      'Finds the stored data of a person in the viewer’s workspace. Specify exactly one of the IDs. Owners only.',
    authScopes: { owner: true },
    complexity: FIND_POINTS,
    args: {
      userId: t.arg.string({ description: 'The user ID.' }),
      contactId: t.arg.string({ description: 'The contact ID: a UUID, not a global ID.' }),
      anonymousId: t.arg.string({ description: 'The anonymous ID of a device.' }),
    },
    resolve: (_root, args, { context }) =>
      personFootprint(context, parseContract(personLookupContract, args)),
  }),
);

const exportsOfWorkspace = workspaceReads(PersonExport);
const exportById = loaderById(exportsOfWorkspace.byIds);

const PersonExportRef: ObjectRef<SchemaTypes, PersonExport> = memberNode(
  'PersonExport',
  exportById,
  {
    description: 'Permission to download a person’s stored data.',
    fields: t => ({
      ...expose(t, 'String!', {
        actorId:
          'The ID of the only user who can download the data, as assigned by the token’s issuer.',
      }),
      downloadPath: t.string({
        nullable: false,
        description:
          'The path from which to download the data, in JSON Lines format with one line per row. The lines are generated during the download. The download request must include your bearer token.',
        resolve: ({ id }) => exportPath(id),
      }),
      ...expose(t, 'DateTime!', {
        createdAt: 'When the export was requested.',
        expiresAt: 'When the permission expires.',
      }),
    }),
  },
);

mutation({
  name: 'personExport',
  description: `Lets the viewer download all of a person’s stored data. The download is available for ${EXPORT_HOURS} hours. Query \`personFootprint\` first to get the IDs and the confirmation.`,
  access: 'owner',
  input: confirmedPersonInput,
  contract: confirmedPersonContract,
  codes: ['CONFIRMATION_MISMATCH'],
  action: personExport,
  payload: changedObject('export', PersonExportRef, exportById, 'The export.'),
});

const SettingsRef = memberObject<{ lateDays: number }>('PrivacySettings', {
  description: 'The privacy settings of a workspace.',
  fields: t => ({
    ...expose(t, 'Int!', {
      lateDays:
        'The number of days after an erasure during which late data with the person’s IDs is also deleted.',
    }),
  }),
});

builder.queryField('privacySettings', t =>
  t.field({
    type: SettingsRef,
    nullable: false,
    description: 'The privacy settings of the viewer’s workspace.',
    authScopes: { member: true },
    resolve: async (_root, _args, { context }) => ({
      lateDays: await lateDaysOf(await context.read(), workspaceOf(context.viewer)),
    }),
  }),
);

mutation({
  name: 'privacySettingsUpdate',
  description:
    'Updates the privacy settings of the viewer’s workspace. The change applies to erasures requested from now on.',
  access: 'owner',
  input: t => ({
    lateDays: t.int({
      required: true,
      description: `The number of days after an erasure during which late data is also deleted, from 0 (late data is kept) to ${LATE_DAYS_MAX}. The initial value is 30.`,
    }),
  }),
  contract: privacySettingsUpdateContract,
  codes: [],
  action: privacySettingsUpdate,
  payload: t => ({
    settings: t.field({
      type: SettingsRef,
      description: 'The updated settings.',
      resolve: async ({ result }, _args, { context }) =>
        result && { lateDays: await lateDaysOf(await context.read(), result.id) },
    }),
  }),
});
