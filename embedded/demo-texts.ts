// The texts of the demo's templates.

import type {
  CatalogEntryCreate,
  TemplateVersionCreate,
} from '../graphql-api/templates/template.contract.ts';

export type DemoText = Omit<TemplateVersionCreate, 'id'>;

const APP = { channel: 'messaging_app', language: 'en' } as const;

export const ORDER = {
  name: 'Order on its way',
  description: 'Sent after dispatch, on all three channels.',
  app: {
    ...APP,
    category: 'utility',
    header: { type: 'text', text: 'Order {{order_id}}' },
    footer: 'Demo Shop',
    buttons: [{ type: 'url', text: 'Track it', url: 'https://shop.example/track/{{order_id}}' }],
    samples: { first_name: 'Asha', order_id: 'A1024' },
  } as DemoText,
  bodies: {
    first: 'Hello {{first_name}}, your order {{order_id}} has left our warehouse today.',
    second:
      'Hello {{first_name}}, good news: your order {{order_id}} is on its way and arrives within three days.',
    rejected:
      'Hello {{first_name}}, order {{order_id}} is on its way. Today only: 20% off your next one!',
    draft:
      'Hello {{first_name}}, your order {{order_id}} is on its way. Expect it on {{delivery_day | default: "one of the next days"}}, before noon.',
  },
  sms: {
    channel: 'sms',
    language: 'en',
    category: 'service_implicit',
    header: { type: 'text', text: 'DEMOSH' },
    footer: null,
    buttons: null,
    body: 'Hello {{first_name}}, your Demo Shop order {{order_id}} is on its way.',
    dltEntityId: '1101234567890123456',
    dltTemplateId: '1107161234567890123',
  } as DemoText,
  email: {
    channel: 'email',
    language: 'en',
    category: 'transactional',
    header: { type: 'text', text: 'Your order {{order_id}} is on its way' },
    body: '<p>Hello {{first_name}},</p><p>your order {{order_id}} is on its way.</p>',
    plainText: 'Hello {{first_name}}, your order {{order_id}} is on its way.',
    preheader: 'It arrives within three days.',
  } as DemoText,
};

export const SALE = {
  name: 'Winter sale',
  description: 'An operator reverted to the first version.',
  app: {
    ...APP,
    category: 'marketing',
    footer: 'Reply STOP to unsubscribe',
  } as DemoText,
  bodies: {
    first: 'Hello {{first_name}}, our winter sale has started: 20% off everything in the shop.',
    second: 'Hello {{first_name}}, winter sale! 20% off everything, and free delivery today.',
    third:
      'Hello {{first_name}}, these are the last days of our winter sale: 30% off everything that is left.',
  },
};

export const CATALOG_ENTRIES: readonly CatalogEntryCreate[] = [
  {
    name: 'Welcome',
    description: 'The first message to a new customer.',
    versions: [
      {
        ...APP,
        category: 'utility',
        body: 'Hello {{first_name}}, welcome to {{shop_name}}. We are glad to have you here.',
      },
      {
        channel: 'email',
        language: 'en',
        category: 'transactional',
        header: { type: 'text', text: 'Welcome to {{shop_name}}' },
        body: '<p>Hello {{first_name}},</p><p>welcome to {{shop_name}}.</p>',
      },
    ],
    source: { origin: 'editorial', author: 'Content team', licence: 'free to use', reviewed: true },
  },
  {
    name: 'Code to sign in',
    description: 'A sign-in code, with a button to copy it.',
    versions: [
      {
        ...APP,
        category: 'authentication',
        body: 'Your code is {{code}}. Do not share it with anyone.',
        buttons: [{ type: 'otp', text: 'Copy the code' }],
      },
    ],
    source: { origin: 'editorial', author: 'Content team', licence: 'free to use', reviewed: true },
  },
];
