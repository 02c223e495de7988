// The texts of the demo's templates.

import type {
  CatalogEntryCreate,
  TemplateVersionCreate,
} from '../graphql-api/templates/template.contract.ts';

export type DemoText = Omit<TemplateVersionCreate, 'id'>;

const APP = { channel: 'messaging_app', language: 'en' } as const;

export const ORDER = {
  name: 'Order on its way',
  description: 'After dispatch, in all three channels.',
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
      'Hello {{first_name}}, order {{order_id}} is coming. Only today: 20 % off your next one!',
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
  description: 'An operator went back to the first version.',
  app: {
    ...APP,
    category: 'marketing',
    footer: 'Reply STOP for no more of these',
  } as DemoText,
  bodies: {
    first: 'Hello {{first_name}}, our winter sale has begun: 20 % off everything in the shop.',
    second: 'Hello {{first_name}}, winter sale! 20 % off everything, and free delivery today.',
    third: 'Hello {{first_name}}, last days of our winter sale: 30 % off everything that is left.',
  },
};

export const CATALOG_ENTRIES: readonly CatalogEntryCreate[] = [
  {
    name: 'Welcome',
    description: 'The first message to somebody new.',
    versions: [
      {
        ...APP,
        category: 'utility',
        body: 'Hello {{first_name}}, welcome to {{shop_name}}. We are glad that you are here.',
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
    description: 'A code, and a button to copy it.',
    versions: [
      {
        ...APP,
        category: 'authentication',
        body: 'The code {{code}} is yours alone. Tell it to nobody.',
        buttons: [{ type: 'otp', text: 'Copy the code' }],
      },
    ],
    source: { origin: 'editorial', author: 'Content team', licence: 'free to use', reviewed: true },
  },
];
