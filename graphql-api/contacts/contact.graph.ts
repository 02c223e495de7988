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
  description: 'The consent status of a person for a purpose.',
  values: {
    GRANTED: { description: 'The person consented.' },
    DENIED: { description: 'The person refused or withdrew consent.' },
  },
});

const ConsentRef = builder.objectRef<Consent>('Consent').implement({
  description:
    'The current consent of a person for a purpose. Earlier values are in the audit log.',
  authScopes: { member: true },
  fields: t => ({
    purpose: t.exposeString('purpose', {
      nullable: false,
      description: 'The purpose of the consent, such as `marketing`.',
    }),
    status: t.field({
      type: ConsentStatusRef,
      nullable: false,
      description: 'The consent status.',
      resolve: ({ status }) => status,
    }),
    version: t.exposeInt('version', {
      nullable: false,
      description: 'The version of the consent, incremented by each change.',
    }),
    source: t.exposeString('source', {
      nullable: false,
      description: 'Where the consent was collected.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the consent was recorded.',
    }),
  }),
});

const DeviceRef = builder.objectRef<ContactDevice>('ContactDevice').implement({
  description: 'A device that a contact registered for push messages.',
  authScopes: { member: true },
  fields: t => ({
    platform: t.exposeString('platform', {
      nullable: false,
      description: 'The platform: `ios` or `android`.',
    }),
    status: t.exposeString('status', {
      nullable: false,
      description: 'The status: `ACTIVE` or `INACTIVE`.',
    }),
    maskedToken: t.exposeString('maskedToken', {
      nullable: false,
      description: 'The start and the end of the device token, to identify the device.',
    }),
    appVersion: t.exposeString('appVersion', {
      description: 'The version of the app on the device.',
    }),
    registeredAt: t.expose('registeredAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the device was last registered.',
    }),
    deactivatedAt: t.expose('deactivatedAt', {
      type: 'DateTime',
      description: 'When the device was deactivated; null if it is active.',
    }),
  }),
});

const ExposureRef = builder.objectRef<ContactExposure>('ContactExposure').implement({
  description: 'An impression, a click or a dismissal of an in-app campaign by a contact.',
  authScopes: { member: true },
  fields: t => ({
    campaignId: t.exposeString('campaignId', {
      nullable: false,
      description: 'The campaign ID that the SDK reported. The campaign may not exist.',
    }),
    eventType: t.exposeString('eventType', {
      nullable: false,
      description: 'The interaction: `impression`, `clicked` or `dismissed`.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the interaction occurred, by the device’s corrected clock.',
    }),
  }),
});

export const ContactRef: ObjectRef<SchemaTypes, Contact> = builder.node(Contact, {
  name: 'Contact',
  description:
    'A person, identified by the application’s user ID. Created by an `identify` call or by `contactUpsert`.',
  authScopes: { member: true },
  id: { resolve: contact => contact.id },
  loadOne: (id, graph) => contactById(graph, id),
  fields: t => ({
    userId: t.exposeString('userId', {
      nullable: false,
      description: 'The application’s user ID.',
    }),
    anonymousId: t.exposeString('anonymousId', {
      description: 'The anonymous ID of the person before they were identified; null if unknown.',
    }),
    traits: t.field({
      type: 'JSON',
      description: 'The traits of the contact; null if they are larger than 256 KB.',
      resolve: async ({ id }, _args, graph) => (await traitsOf(graph, id))?.traits ?? null,
    }),
    traitsBytes: t.int({
      nullable: false,
      description: 'The size of the traits, in bytes.',
      resolve: async ({ id }, _args, graph) => (await traitsOf(graph, id))?.bytes ?? 0,
    }),
    suppressedAt: t.expose('suppressedAt', {
      type: 'DateTime',
      description:
        'When the contact was suppressed; null if it is not. A suppressed contact receives nothing promotional, regardless of consent.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the contact was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the contact was last changed.',
    }),
    consents: t.field({
      type: [ConsentRef],
      nullable: false,
      description: 'The consents of the contact, one per purpose.',
      resolve: async ({ id }, _args, graph) => [...((await consentsOf(graph, id))?.consents ?? [])],
    }),
    devices: t.field({
      type: [DeviceRef],
      nullable: false,
      description: `The devices of the contact, at most the latest ${DEVICES_SHOWN_MAX}.`,
      resolve: async ({ id }, _args, graph) => (await devicesOf(graph, id))?.devices ?? [],
    }),
    recentExposures: t.field({
      type: [ExposureRef],
      nullable: false,
      description: `The in-app interactions of the contact, at most the latest ${EXPOSURES_SHOWN_MAX}.`,
      resolve: async ({ id }, _args, graph) => (await exposuresOf(graph, id))?.exposures ?? [],
    }),
  }),
});

const ContactConnection = connectionType('Contact', ContactRef);

builder.queryField('contacts', t =>
  t.field({
    type: ContactConnection,
    nullable: false,
    description: 'The contacts of the viewer’s workspace.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      userIdPrefix: t.arg.string({ description: 'Filters by the beginning of the user ID.' }),
      isSuppressed: t.arg.boolean({
        description: 'Filters by whether the contact is suppressed.',
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
    description: 'A contact of the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The global ID of the contact.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Contact' ? contactById(graph, id.id) : null,
  }),
);

builder.queryField('contactByUserId', t =>
  t.field({
    type: ContactRef,
    description: 'A contact of the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { userId: t.arg.string({ required: true, description: 'The application’s user ID.' }) },
    resolve: (_root, { userId }, graph) => contactByUserId(graph, userId),
  }),
);
