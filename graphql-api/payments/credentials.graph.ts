import { WEBHOOK_PATH } from '../../schema/gateway/webhook-path.ts';
import { builder } from '../platform/graph/builder.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import {
  gatewayCredentialsRemove,
  gatewayCredentialsSet,
  gatewaySecretRotate,
} from './credentials.actions.ts';
import {
  gatewayCredentialsRemoveContract,
  gatewayCredentialsSetContract,
  gatewayCredentialsTestContract,
  gatewaySecretRotateContract,
} from './credentials.contract.ts';
import {
  type CredentialsWarning,
  type GatewayCredentialsView,
  gatewayCredentials,
  type SecretShown,
} from './credentials.reads.ts';
import { gatewayCredentialsTest } from './credentials.test-connection.ts';

const OnboardingEnum = describedEnum(
  'GatewayOnboarding',
  'Which merchant account receives a workspace’s payments.',
  {
    MANAGED: 'The platform’s master account. The workspace is one of its vendors.',
    BYOM: 'Bring your own merchant: the workspace’s own account.',
  },
);

const ModeEnum = describedEnum('GatewayMode', 'The environment of the payment gateway.', {
  SANDBOX: 'The test environment. No real payments are made.',
  PRODUCTION: 'The live environment. Payments are real.',
});

const SecretEnum = describedEnum(
  'GatewaySecretName',
  'A secret for a merchant account at the payment gateway.',
  {
    SECRET_KEY: 'Authenticates calls to the payment gateway.',
    WEBHOOK_SECRET:
      'The primary webhook secret, which the payment gateway uses to sign most gateway events.',
    WEBHOOK_SECRET_SECONDARY:
      'The secondary webhook secret, which the payment gateway uses to sign gateway events about abandoned payment links.',
  },
);

const SecretRef = memberObject<SecretShown>('GatewaySecret', {
  description: 'A stored secret. Its full value is never returned.',
  fields: t => ({
    ...expose(t, 'String!', { fingerprint: 'The last four characters of the secret.' }),
    ...expose(t, 'DateTime!', { setAt: 'When the secret was set.' }),
    ...expose(t, 'DateTime', {
      previousUntil: 'When the previous secret expires; null if no previous secret is accepted.',
    }),
  }),
});

const WarningCodeEnum = describedEnum(
  'GatewayCredentialsWarningCode',
  'A configuration problem that causes gateway events to be refused.',
  {
    ONLY_ONE_WEBHOOK_SECRET:
      'Only one of the two webhook secrets is set. Gateway events signed with the other secret are refused.',
    NO_WEBHOOK_SECRET: 'No webhook secret is set. All gateway events are refused.',
  },
);

const WarningRef = memberObject<CredentialsWarning>('GatewayCredentialsWarning', {
  description: 'A problem with a workspace’s payment gateway credentials.',
  fields: t => ({
    ...expose(t, WarningCodeEnum, { code: 'A machine-readable code.' }),
    ...expose(t, 'String!', { message: 'A human-readable message.' }),
  }),
});

const CredentialsRef = memberObject<GatewayCredentialsView>('GatewayCredentials', {
  description: 'The payment gateway settings of a workspace. Secrets are write-only.',
  fields: t => ({
    onboarding: t.field({
      type: OnboardingEnum,
      nullable: false,
      description: 'Which merchant account receives the payments.',
      resolve: ({ credentials }) => credentials.mode,
    }),
    mode: t.field({
      type: ModeEnum,
      nullable: false,
      description: 'The environment of the payment gateway.',
      resolve: ({ credentials }) => credentials.environment,
    }),
    appId: t.string({
      description: 'The app ID of the merchant account; null for a managed workspace.',
      resolve: ({ credentials }) => credentials.clientId,
    }),
    secretKey: t.field({
      type: SecretRef,
      description:
        'The secret that authenticates calls to the payment gateway; null if it is not set.',
      resolve: ({ secrets }) => secrets.get('client_secret'),
    }),
    webhookSecret: t.field({
      type: SecretRef,
      description:
        'The primary webhook secret, which the payment gateway uses to sign most gateway events; null if it is not set.',
      resolve: ({ secrets }) => secrets.get('webhook_secret'),
    }),
    webhookSecretSecondary: t.field({
      type: SecretRef,
      description:
        'The secondary webhook secret, which the payment gateway uses to sign gateway events about abandoned payment links; null if it is not set.',
      resolve: ({ secrets }) => secrets.get('abandoned_checkout_secret'),
    }),
    webhookPath: t.string({
      nullable: false,
      description:
        'The path at which this service receives gateway events. Prepend the base URL of this service and enter the result as the webhook URL in the payment gateway’s settings.',
      resolve: ({ credentials }) =>
        credentials.mode === 'BYOM'
          ? `${WEBHOOK_PATH}?workspace_id=${credentials.workspaceId}`
          : WEBHOOK_PATH,
    }),
    warnings: t.field({
      type: [WarningRef],
      nullable: false,
      description: 'Problems with the credentials; empty if there are none.',
      complexity: 0,
      resolve: ({ warnings }) => warnings,
    }),
    checkedAt: t.field({
      type: 'DateTime',
      description: 'When the credentials were last tested; null if they were never tested.',
      resolve: ({ credentials }) => credentials.checkedAt,
    }),
    checkResult: t.string({
      description:
        'The result of the last credentials test: `OK` or the payment gateway’s error code; null if the credentials were never tested.',
      resolve: ({ credentials }) => credentials.checkResult,
    }),
    version: t.int({
      nullable: false,
      description:
        'The version, incremented on each change. Pass it to `gatewayCredentialsSet` to replace this version.',
      resolve: ({ credentials }) => credentials.version,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the credentials were last updated.',
      resolve: ({ credentials }) => credentials.updatedAt,
    }),
  }),
});

builder.queryField('gatewayCredentials', t =>
  t.field({
    type: CredentialsRef,
    description:
      'The payment gateway settings of the viewer’s workspace; null if none are set. A workspace without settings is managed: it receives payments through the platform’s master account.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => gatewayCredentials(context),
  }),
);

const payload = (t: PayloadFields<{ readonly workspaceId: string }>) => ({
  gatewayCredentials: t.field({
    type: CredentialsRef,
    description: 'The updated credentials.',
    resolve: ({ result }, _args, { context }) => result && gatewayCredentials(context),
  }),
});

mutation({
  name: 'gatewayCredentialsSet',
  description:
    'Sets the payment gateway credentials of the viewer’s workspace. The given secrets take effect immediately, and the secrets that they replace are no longer accepted. Omitted secrets are unchanged, unless `appId` or `mode` changes; in that case, they are deleted. Ingest applies the change within a second.',
  access: 'owner',
  input: t => ({
    onboarding: t.field({
      type: OnboardingEnum,
      required: true,
      description:
        'Which merchant account receives the payments. For a managed workspace, omit `appId` and the secrets.',
    }),
    mode: t.field({
      type: ModeEnum,
      required: true,
      description: 'The environment of the payment gateway.',
    }),
    appId: t.string({ description: 'The app ID of the merchant account. Required for BYOM.' }),
    secretKey: t.string({
      description:
        'The secret that authenticates calls to the payment gateway. Required for BYOM if no credentials are set yet, or if `appId` or `mode` changes.',
    }),
    webhookSecret: t.string({
      description:
        'The primary webhook secret, which the payment gateway uses to sign most gateway events.',
    }),
    webhookSecretSecondary: t.string({
      description:
        'The secondary webhook secret, which the payment gateway uses to sign gateway events about abandoned payment links.',
    }),
    version: t.int({
      description: 'The version of the credentials to replace. Omit it if no credentials are set.',
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
    'Replaces one of the secrets in the payment gateway credentials. Webhooks signed with the previous secret are still accepted for three days, or for the time given in `overlapSeconds`, because the payment gateway retries webhooks for hours. Calls to the gateway use the new secret immediately.',
  access: 'owner',
  input: t => ({
    secret: t.field({ type: SecretEnum, required: true, description: 'The secret to replace.' }),
    value: t.string({ required: true, description: 'The new value of the secret.' }),
    overlapSeconds: t.int({
      description:
        'How long the previous secret remains accepted, in seconds: from 0 to 2592000 (30 days). Defaults to 259200 (3 days).',
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
    'Removes the payment gateway credentials and secrets of the viewer’s workspace. The workspace then receives payments through the platform’s master account, and webhooks from its own merchant account are refused.',
  access: 'owner',
  contract: gatewayCredentialsRemoveContract,
  codes: ['NOT_FOUND'],
  action: gatewayCredentialsRemove,
  payload: t => ({
    isRemoved: t.boolean({
      description: 'Whether the credentials were removed.',
      resolve: ({ result }) => result !== undefined,
    }),
  }),
});

mutation({
  name: 'gatewayCredentialsTest',
  description:
    'Tests the payment gateway credentials of the viewer’s workspace by calling the payment gateway.',
  access: 'owner',
  contract: gatewayCredentialsTestContract,
  codes: [...FAULT_CODES],
  process: gatewayCredentialsTest,
  payload: t => ({
    isAccepted: t.boolean({
      description: 'Whether the payment gateway accepts the credentials.',
      resolve: ({ result }) => result?.isAccepted,
    }),
    code: t.string({
      description: 'The result of the test: `OK`, or the payment gateway’s error code.',
      resolve: ({ result }) => result?.code,
    }),
    message: t.string({
      description: 'The payment gateway’s message.',
      resolve: ({ result }) => result?.message,
    }),
  }),
});
