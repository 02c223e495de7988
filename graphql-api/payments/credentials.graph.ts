import { WEBHOOK_PATH } from '../../schema/gateway/webhook-path.ts';
import { builder } from '../platform/graph/builder.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import {
  gatewayCredentialsRemoveContract,
  gatewayCredentialsSetContract,
  gatewaySecretRotateContract,
} from './credentials.contract.ts';
import {
  type CredentialsWarning,
  type GatewayCredentialsView,
  gatewayCredentials,
  type SecretShown,
} from './credentials.reads.ts';
import { gatewayCredentialsRemove } from './credentials.remove.ts';
import { gatewaySecretRotate } from './credentials.rotate-secret.ts';
import { gatewayCredentialsSet } from './credentials.set.ts';

const OnboardingEnum = builder.enumType('GatewayOnboarding', {
  description: 'Whose merchant account a workspace is paid into.',
  values: {
    MANAGED: { description: 'The platform’s master account; the workspace is a vendor in it.' },
    BYOM: { description: 'Its own.' },
  },
});

const ModeEnum = builder.enumType('GatewayMode', {
  description: 'Which of the gateway’s addresses is called.',
  values: {
    SANDBOX: { description: 'The one for trying out; no money moves.' },
    PRODUCTION: { description: 'The one where money moves.' },
  },
});

const SecretEnum = builder.enumType('GatewaySecretName', {
  description: 'A secret of an account at the gateway.',
  values: {
    SECRET_KEY: { description: 'What calls to the gateway are made with.' },
    WEBHOOK_SECRET: { description: 'The primary one: most events are signed with it.' },
    WEBHOOK_SECRET_SECONDARY: {
      description: 'The secondary one: events of abandoned payment links are signed with it.',
    },
  },
});

const SecretRef = builder.objectRef<SecretShown>('GatewaySecret').implement({
  description: 'A secret that is set. It is never shown again.',
  authScopes: { member: true },
  fields: t => ({
    fingerprint: t.exposeString('fingerprint', {
      nullable: false,
      description: 'Its last four characters.',
    }),
    setAt: t.expose('setAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was set.',
    }),
    previousUntil: t.expose('previousUntil', {
      type: 'DateTime',
      description: 'Until when the one before it counts too; null where it counts no more.',
    }),
  }),
});

const WarningCodeEnum = builder.enumType('GatewayCredentialsWarningCode', {
  description: 'What silently goes wrong.',
  values: {
    ONLY_ONE_WEBHOOK_SECRET: {
      description: 'Events that are signed with the other one are refused as forgeries.',
    },
    NO_WEBHOOK_SECRET: { description: 'All events are refused as forgeries.' },
  },
});

const WarningRef = builder.objectRef<CredentialsWarning>('GatewayCredentialsWarning').implement({
  description: 'What silently goes wrong with these credentials.',
  authScopes: { member: true },
  fields: t => ({
    code: t.field({
      type: WarningCodeEnum,
      nullable: false,
      description: 'For programs.',
      resolve: ({ code }) => code,
    }),
    message: t.exposeString('message', { nullable: false, description: 'For people.' }),
  }),
});

const CredentialsRef = builder.objectRef<GatewayCredentialsView>('GatewayCredentials').implement({
  description: 'How a workspace is paid. Secrets can be set, and never read.',
  authScopes: { member: true },
  fields: t => ({
    onboarding: t.field({
      type: OnboardingEnum,
      nullable: false,
      description: 'Whose merchant account it is.',
      resolve: ({ credentials }) => credentials.mode,
    }),
    mode: t.field({
      type: ModeEnum,
      nullable: false,
      description: 'Which of the gateway’s addresses is called.',
      resolve: ({ credentials }) => credentials.environment,
    }),
    appId: t.string({
      description: 'What the gateway knows the account by; null for a managed workspace.',
      resolve: ({ credentials }) => credentials.clientId,
    }),
    secretKey: t.field({
      type: SecretRef,
      description: 'What calls to the gateway are made with; null where it is not set.',
      resolve: ({ secrets }) => secrets.get('client_secret'),
    }),
    webhookSecret: t.field({
      type: SecretRef,
      description: 'What most events are signed with; null where it is not set.',
      resolve: ({ secrets }) => secrets.get('webhook_secret'),
    }),
    webhookSecretSecondary: t.field({
      type: SecretRef,
      description:
        'What events of abandoned payment links are signed with; null where it is not set.',
      resolve: ({ secrets }) => secrets.get('abandoned_checkout_secret'),
    }),
    webhookPath: t.string({
      nullable: false,
      description: 'Behind our base address: what to give the gateway as the address for webhooks.',
      resolve: ({ credentials }) =>
        credentials.mode === 'BYOM'
          ? `${WEBHOOK_PATH}?workspace_id=${credentials.workspaceId}`
          : WEBHOOK_PATH,
    }),
    warnings: t.field({
      type: [WarningRef],
      nullable: false,
      description: 'What silently goes wrong; empty where nothing does.',
      complexity: 0,
      resolve: ({ warnings }) => warnings,
    }),
    checkedAt: t.field({
      type: 'DateTime',
      description: 'When they were tried last.',
      resolve: ({ credentials }) => credentials.checkedAt,
    }),
    checkResult: t.string({
      description: 'What came of it: OK, or the gateway’s code.',
      resolve: ({ credentials }) => credentials.checkResult,
    }),
    version: t.int({
      nullable: false,
      description: 'Raised by each change; the next one names it.',
      resolve: ({ credentials }) => credentials.version,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When they were changed last.',
      resolve: ({ credentials }) => credentials.updatedAt,
    }),
  }),
});

builder.queryField('gatewayCredentials', t =>
  t.field({
    type: CredentialsRef,
    description:
      'How the viewer’s workspace is paid; null where it set nothing, and is managed for that reason.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => gatewayCredentials(context),
  }),
);

const payload = (t: PayloadFields<{ readonly workspaceId: string }>) => ({
  gatewayCredentials: t.field({
    type: CredentialsRef,
    description: 'The credentials as they are now.',
    resolve: ({ result }, _args, { context }) => result && gatewayCredentials(context),
  }),
});

mutation({
  name: 'gatewayCredentialsSet',
  description:
    'Says how the viewer’s workspace is paid. What is left out of the secrets stays, unless the account is another one; what is given replaces the old one at once. Ingest follows within a second.',
  access: 'owner',
  input: t => ({
    onboarding: t.field({
      type: OnboardingEnum,
      required: true,
      description:
        'Whose merchant account it is. A managed workspace has neither appId nor secrets.',
    }),
    mode: t.field({
      type: ModeEnum,
      required: true,
      description: 'Which of the gateway’s addresses is called.',
    }),
    appId: t.string({ description: 'What the gateway knows the account by.' }),
    secretKey: t.string({
      description: 'What calls to the gateway are made with; needed for another account.',
    }),
    webhookSecret: t.string({ description: 'What most events are signed with.' }),
    webhookSecretSecondary: t.string({
      description: 'What events of abandoned payment links are signed with.',
    }),
    version: t.int({
      description: 'Of the credentials that are replaced; left out where there are none yet.',
    }),
  }),
  contract: gatewayCredentialsSetContract,
  codes: ['GATEWAY_CREDENTIALS_CHANGED'],
  action: gatewayCredentialsSet,
  payload,
});

mutation({
  name: 'gatewaySecretRotate',
  description:
    'Sets a secret anew. Webhooks signed with the old one are taken until the overlap is over, since the gateway sends them again for hours; calls are made with the new one at once.',
  access: 'owner',
  input: t => ({
    secret: t.field({ type: SecretEnum, required: true, description: 'Which one.' }),
    value: t.string({ required: true, description: 'The new one.' }),
    overlapSeconds: t.int({
      description:
        'How long the old one still counts: 0 to 2592000 seconds, three days unless said.',
    }),
  }),
  contract: gatewaySecretRotateContract,
  codes: ['NOT_FOUND'],
  action: gatewaySecretRotate,
  payload,
});

mutation({
  name: 'gatewayCredentialsRemove',
  description:
    'Removes the credentials and their secrets: the workspace is managed then, and what its own account still tells is refused.',
  access: 'owner',
  contract: gatewayCredentialsRemoveContract,
  codes: ['NOT_FOUND'],
  action: gatewayCredentialsRemove,
  payload: t => ({
    isRemoved: t.boolean({
      description: 'Whether they are gone.',
      resolve: ({ result }) => result !== undefined,
    }),
  }),
});
