import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageCost, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject, nodeQuery } from '../platform/graph/fields.ts';
import { loaderBy, loaderById } from '../platform/graph/loader.ts';
import { reportPageCost } from '../platform/graph/report-args.ts';
import type { Consent } from './consent.entity.ts';
import type { Contact } from './contact.entity.ts';
import { contacts, contactsByUserIds, contactsPage, traitsByContacts } from './contact.reads.ts';
import {
  type ContactDevice,
  type ContactExposure,
  consentsByContacts,
  DEVICES_SHOWN_MAX,
  devicesByContacts,
  EXPOSURES_SHOWN_MAX,
  exposuresByContacts,
} from './contact-details.reads.ts';

export const contactById = loaderById(contacts.byIds);
export const contactByUserId = loaderBy(contactsByUserIds, contact => contact.userId);
const traitsOf = loaderById(traitsByContacts);
const consentsOf = loaderBy(consentsByContacts, ({ contactId }) => contactId);
const devicesOf = loaderBy(devicesByContacts, ({ contactId }) => contactId);
const exposuresOf = loaderBy(exposuresByContacts, ({ contactId }) => contactId);

/** Most people have consents for only a few purposes. If more were assumed, a page of contacts would cost too much. */
const CONSENTS_ASSUMED = 3;

export const ConsentStatusRef = describedEnum(
  'ConsentStatus',
  'A person’s consent status for a purpose.',
  {
    GRANTED: 'The person consented.',
    DENIED: 'The person denied or withdrew consent.',
  },
);

const ConsentRef = memberObject<Consent>('Consent', {
  description: 'A person’s current consent for a purpose. Earlier values are in the audit log.',
  fields: t => ({
    ...expose(t, 'String!', {
      purpose: 'The purpose of the consent, such as `marketing`.',
      source: 'Where the consent was collected.',
    }),
    ...expose(t, ConsentStatusRef, { status: 'The consent status.' }),
    ...expose(t, 'Int!', { version: 'The version of the consent, incremented on each change.' }),
    ...expose(t, 'DateTime!', { recordedAt: 'When the consent was recorded.' }),
  }),
});

const DeviceRef = memberObject<ContactDevice>('ContactDevice', {
  description: 'A contact’s device, registered to receive push messages.',
  fields: t => ({
    ...expose(t, 'String!', {
      platform: 'The platform: `ios` or `android`.',
      status: 'The status: `ACTIVE` or `INACTIVE`.',
      maskedToken:
        'The first and last characters of the device token, which help identify the device.',
    }),
    ...expose(t, 'String', {
      appVersion: 'The version of the app on the device; null if it is unknown.',
    }),
    ...expose(t, 'DateTime!', { registeredAt: 'When the device was last registered.' }),
    ...expose(t, 'DateTime', {
      deactivatedAt: 'When the device was deactivated; null if it is active.',
    }),
  }),
});

const ExposureRef = memberObject<ContactExposure>('ContactExposure', {
  description:
    'A contact’s interaction with an in-app campaign: an impression, a click or a dismissal.',
  fields: t => ({
    ...expose(t, 'String!', {
      campaignId:
        'The campaign ID. The ID that an SDK reports is not checked, so the campaign might not exist.',
      eventType: 'The interaction: `impression`, `clicked` or `dismissed`.',
    }),
    ...expose(t, 'DateTime!', {
      occurredAt: 'When the interaction was reported, according to the server’s clock.',
    }),
  }),
});

export const ContactRef: ObjectRef<SchemaTypes, Contact> = memberNode('Contact', contactById, {
  description:
    'A person, identified by the application’s user ID. Created by an `identify` call or by `contactUpsert`.',
  fields: t => ({
    ...expose(t, 'String!', { userId: 'The application’s user ID.' }),
    ...expose(t, 'String', {
      anonymousId: 'The anonymous ID that the person had before being identified; null if unknown.',
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
    ...expose(t, 'DateTime', {
      suppressedAt:
        'When the contact was suppressed; null if the contact is not suppressed. A suppressed contact receives no journey messages and no promotional in-app content, regardless of consent.',
    }),
    ...expose(t, 'DateTime!', {
      createdAt: 'When the contact was created.',
      updatedAt: 'When the contact was last changed.',
    }),
    consents: t.field({
      type: [ConsentRef],
      nullable: false,
      description: 'The consents of the contact, one per purpose.',
      complexity: { field: 1, multiplier: CONSENTS_ASSUMED },
      resolve: async ({ id }, _args, graph) => (await consentsOf(graph, id))?.items ?? [],
    }),
    devices: t.field({
      type: [DeviceRef],
      nullable: false,
      description: `The contact’s ${DEVICES_SHOWN_MAX} most recently registered devices.`,
      resolve: async ({ id }, _args, graph) => (await devicesOf(graph, id))?.items ?? [],
    }),
    recentExposures: t.field({
      type: [ExposureRef],
      nullable: false,
      description: `The contact’s ${EXPOSURES_SHOWN_MAX} most recent in-app interactions.`,
      resolve: async ({ id }, _args, graph) => (await exposuresOf(graph, id))?.items ?? [],
    }),
  }),
});

const ContactConnection = connectionType('Contact', ContactRef);

const ContactTraitInput = builder.inputType('ContactTraitInput', {
  description: 'A trait and its value.',
  fields: t => ({
    name: t.string({
      required: true,
      description:
        'The name of the trait. To refer to a value nested in a trait, separate the names with dots.',
    }),
    value: t.string({
      required: true,
      description: 'The exact value as text, such as `Pune`, `5` or `true`. Case-sensitive.',
    }),
  }),
});

pageQuery('contacts', {
  type: ContactConnection,
  description: 'The contacts in the viewer’s workspace.',
  args: arg => ({
    search: arg.string({
      description:
        'Filters by the beginning of the user ID, a name or the email address, ignoring case. If the search contains several words, each of them must match. The searched names are the traits `name`, `fullName`, `firstName` and `lastName`; the beginning of the last word in a name also matches.',
    }),
    trait: arg({
      type: ContactTraitInput,
      description:
        'Filters by the value of a trait. In a workspace with millions of contacts, combine this filter with `search`.',
    }),
    userIdPrefix: arg.string({ description: 'Filters by the beginning of the user ID.' }),
    isSuppressed: arg.boolean({ description: 'Filters by whether the contact is suppressed.' }),
  }),
  cost: page => (page.trait ? reportPageCost(1)(page) : pageCost(page)),
  page: contactsPage,
});

nodeQuery('contact', ContactRef, contactById, {
  description: 'A contact in the viewer’s workspace; null if it does not exist.',
  id: 'The global ID of the contact.',
});

builder.queryField('contactByUserId', t =>
  t.field({
    type: ContactRef,
    description: 'A contact in the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { userId: t.arg.string({ required: true, description: 'The application’s user ID.' }) },
    resolve: (_root, { userId }, graph) => contactByUserId(graph, userId),
  }),
);
