import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const ACCOUNT = graphql(`
  query GatewayCredentials {
    gatewayCredentials {
      onboarding
      mode
      appId
      checkResult
      checkedAt
      updatedAt
      version
      webhookPath
      warnings { code message }
      secretKey { fingerprint setAt previousUntil }
      webhookSecret { fingerprint setAt previousUntil }
      webhookSecretSecondary { fingerprint setAt previousUntil }
    }
  }
`);

/** Refetched after they are set, also if there were none. */
export const OF_ACCOUNT = { additionalTypenames: ['GatewayCredentials'] };

export type Credentials = NonNullable<ResultOf<typeof ACCOUNT>['gatewayCredentials']>;
export type Secret = NonNullable<Credentials['secretKey']>;

export const SECRETS = [
  { name: 'SECRET_KEY', field: 'secretKey', title: 'Secret key', about: 'Calls are made with it.' },
  {
    name: 'WEBHOOK_SECRET',
    field: 'webhookSecret',
    title: 'Webhook secret',
    about: 'Most events are signed with it.',
  },
  {
    name: 'WEBHOOK_SECRET_SECONDARY',
    field: 'webhookSecretSecondary',
    title: 'Second webhook secret',
    about: 'Events about abandoned payment links are signed with it.',
  },
] as const;
export type SecretName = (typeof SECRETS)[number]['name'];
