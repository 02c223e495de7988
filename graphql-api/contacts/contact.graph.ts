import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderBy, loaderById } from '../platform/graph/loader.ts';
import type { Consent } from './consent.entity.ts';
import { Contact } from './contact.entity.ts';
import {
  contactsByIds,
  contactsByUserIds,
  contactsPage,
  traitsByContacts,
} from './contact.reads.ts';
import {
  type ContactDevice,
  type ContactExposure,
  consentsByContacts,
  DEVICES_SHOWN_MAX,
  devicesByContacts,
  EXPOSURES_SHOWN_MAX,
  exposuresByContacts,
} from './contact-details.reads.ts';

export const contactById = loaderById(contactsByIds);
const contactByUserId = loaderBy(contactsByUserIds, contact => contact.userId);
const traitsOf = loaderById(traitsByContacts);
const consentsOf = loaderBy(consentsByContacts, ({ contactId }) => contactId);
const devicesOf = loaderBy(devicesByContacts, ({ contactId }) => contactId);
const exposuresOf = loaderBy(exposuresByContacts, ({ contactId }) => contactId);

export const ConsentStatusRef = builder.enumType('ConsentStatus', {
  description: 'Whether a person agreed.',
  values: {
    GRANTED: { description: 'They agreed.' },
    DENIED: { description: 'They refused, or no longer agree.' },
  },
});

const ConsentRef = builder.objectRef<Consent>('Consent').implement({
  description: 'Whether a person agreed to a purpose; the audit log has what was said before.',
  authScopes: { member: true },
  fields: t => ({
    purpose: t.exposeString('purpose', { nullable: false, description: 'What it is about.' }),
    status: t.field({
      type: ConsentStatusRef,
      nullable: false,
      description: 'Whether they agreed.',
      resolve: ({ status }) => status,
    }),
    version: t.exposeInt('version', { nullable: false, description: 'Goes up with each change.' }),
    source: t.exposeString('source', { nullable: false, description: 'Where they said so.' }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was recorded.',
    }),
  }),
});

const DeviceRef = builder.objectRef<ContactDevice>('ContactDevice').implement({
  description: 'A device of a person that push messages reach.',
  authScopes: { member: true },
  fields: t => ({
    platform: t.exposeString('platform', { nullable: false, description: 'ios or android.' }),
    status: t.exposeString('status', { nullable: false, description: 'ACTIVE or INACTIVE.' }),
    maskedToken: t.exposeString('maskedToken', {
      nullable: false,
      description: 'Both ends of its token, to tell devices apart.',
    }),
    appVersion: t.exposeString('appVersion', { description: 'The version of the app on it.' }),
    registeredAt: t.expose('registeredAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was registered last.',
    }),
    deactivatedAt: t.expose('deactivatedAt', {
      type: 'DateTime',
      description: 'When it was deactivated.',
    }),
  }),
});

const ExposureRef = builder.objectRef<ContactExposure>('ContactExposure').implement({
  description: 'That a person was shown a campaign, or what they did with it.',
  authScopes: { member: true },
  fields: t => ({
    campaignId: t.exposeString('campaignId', {
      nullable: false,
      description: 'As the SDK named the campaign, which may be unknown here.',
    }),
    eventType: t.exposeString('eventType', {
      nullable: false,
      description: 'impression, clicked or dismissed.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When, by the device’s corrected clock.',
    }),
  }),
});

export const ContactRef: ObjectRef<SchemaTypes, Contact> = builder.node(Contact, {
  name: 'Contact',
  description: 'A person by the application’s user id; made by identify or by an operator.',
  authScopes: { member: true },
  id: { resolve: contact => contact.id },
  loadOne: (id, graph) => contactById(graph, id),
  fields: t => ({
    userId: t.exposeString('userId', { nullable: false, description: 'The application’s id.' }),
    anonymousId: t.exposeString('anonymousId', {
      description: 'What the person was before they were known.',
    }),
    traits: t.field({
      type: 'JSON',
      description: 'What is known of the person; null where it is more than 256 KB.',
      resolve: async ({ id }, _args, graph) => (await traitsOf(graph, id))?.traits ?? null,
    }),
    traitsBytes: t.int({
      nullable: false,
      description: 'How large the traits are.',
      resolve: async ({ id }, _args, graph) => (await traitsOf(graph, id))?.bytes ?? 0,
    }),
    suppressedAt: t.expose('suppressedAt', {
      type: 'DateTime',
      description: 'Since when the person gets nothing promotional, whatever they agreed to.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When they became known.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When something of them changed last.',
    }),
    consents: t.field({
      type: [ConsentRef],
      nullable: false,
      description: 'What they agreed to or refused, by purpose.',
      resolve: async ({ id }, _args, graph) => [...((await consentsOf(graph, id))?.consents ?? [])],
    }),
    devices: t.field({
      type: [DeviceRef],
      nullable: false,
      description: `Their devices, the latest ${DEVICES_SHOWN_MAX}.`,
      resolve: async ({ id }, _args, graph) => (await devicesOf(graph, id))?.devices ?? [],
    }),
    recentExposures: t.field({
      type: [ExposureRef],
      nullable: false,
      description: `What they were shown in-app and did with it, the latest ${EXPOSURES_SHOWN_MAX}.`,
      resolve: async ({ id }, _args, graph) => (await exposuresOf(graph, id))?.exposures ?? [],
    }),
  }),
});

const ContactConnection = connectionType('Contact', ContactRef);

builder.queryField('contacts', t =>
  t.field({
    type: ContactConnection,
    nullable: false,
    description: 'The people of the viewer’s workspace.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      userIdPrefix: t.arg.string({ description: 'Only those whose user id begins so.' }),
      isSuppressed: t.arg.boolean({
        description: 'Only those who get nothing promotional, or only the others.',
      }),
    },
    complexity: pageCost,
    resolve: async (_root, { first, after, ...filter }, { context }) => {
      const page = { first, after };
      return connectionOfPage(await contactsPage(context, page, filter), page);
    },
  }),
);

builder.queryField('contact', t =>
  t.field({
    type: ContactRef,
    description: 'A contact of the viewer’s workspace; null where there is none.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'Its global id.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Contact' ? contactById(graph, id.id) : null,
  }),
);

builder.queryField('contactByUserId', t =>
  t.field({
    type: ContactRef,
    description: 'A contact of the viewer’s workspace; null where there is none.',
    authScopes: { member: true },
    args: { userId: t.arg.string({ required: true, description: 'The application’s id.' }) },
    resolve: (_root, { userId }, graph) => contactByUserId(graph, userId),
  }),
);
