// The approvers configured by the environment. Without an approver, the submissions of a channel
// wait until one is configured; operators see that they wait.

import { z } from 'zod';

export type MessagingAppConfig = {
  /** Includes the API version. */
  readonly baseUrl: string;
  readonly accountId: string;
  readonly accessToken: string;
  /** The key of the platform's webhook signatures. */
  readonly appSecret: string;
  /** The token that the platform sends when it verifies the webhook subscription. */
  readonly verifyToken: string;
  readonly pageSize: number;
};

export type SmsRegistrarConfig = {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly webhookSecret: string;
  readonly pageSize: number;
};

export type ApprovalConfig = {
  readonly messagingApp: MessagingAppConfig | undefined;
  readonly smsRegistrar: SmsRegistrarConfig | undefined;
};

const DEFAULT_API_URL = 'https://graph.facebook.com/v23.0';
/** The maximum of the messaging app. */
const DEFAULT_PAGE_SIZE = 100;

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform(url => url.replace(/\/+$/, ''));

/** The environment variables of the approvers. */
export const APPROVAL_VARIABLES = {
  MESSAGING_APP_API_URL: address.default(DEFAULT_API_URL),
  MESSAGING_APP_ACCOUNT_ID: z.string().optional(),
  MESSAGING_APP_ACCESS_TOKEN: z.string().optional(),
  MESSAGING_APP_SECRET: z.string().optional(),
  MESSAGING_APP_VERIFY_TOKEN: z.string().optional(),
  SMS_REGISTRAR_URL: address.optional(),
  SMS_REGISTRAR_TOKEN: z.string().optional(),
  SMS_REGISTRAR_SECRET: z.string().optional(),
  APPROVAL_PAGE_SIZE: z.coerce.number().int().min(1).max(500).default(DEFAULT_PAGE_SIZE),
};

type Values = z.output<z.ZodObject<typeof APPROVAL_VARIABLES>>;

const TOGETHER = [
  [
    'MESSAGING_APP_ACCOUNT_ID',
    'MESSAGING_APP_ACCESS_TOKEN',
    'MESSAGING_APP_SECRET',
    'MESSAGING_APP_VERIFY_TOKEN',
  ],
  ['SMS_REGISTRAR_URL', 'SMS_REGISTRAR_TOKEN', 'SMS_REGISTRAR_SECRET'],
] as const;

export function approvalProblems(
  given: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return TOGETHER.flatMap(names => {
    const missing = names.filter(name => !given[name]);
    if (missing.length === 0 || missing.length === names.length) return [];
    return [`${missing[0]}: set all of ${names.join(', ')}, or none`];
  });
}

export function approvalConfig(values: Values): ApprovalConfig {
  const pageSize = values.APPROVAL_PAGE_SIZE;
  return {
    messagingApp: ifComplete<MessagingAppConfig>({
      baseUrl: values.MESSAGING_APP_API_URL,
      accountId: values.MESSAGING_APP_ACCOUNT_ID,
      accessToken: values.MESSAGING_APP_ACCESS_TOKEN,
      appSecret: values.MESSAGING_APP_SECRET,
      verifyToken: values.MESSAGING_APP_VERIFY_TOKEN,
      pageSize,
    }),
    smsRegistrar: ifComplete<SmsRegistrarConfig>({
      baseUrl: values.SMS_REGISTRAR_URL,
      accessToken: values.SMS_REGISTRAR_TOKEN,
      webhookSecret: values.SMS_REGISTRAR_SECRET,
      pageSize,
    }),
  };
}

function ifComplete<Settings extends object>(
  given: {
    readonly [Name in keyof Settings]: Settings[Name] | undefined;
  },
): Settings | undefined {
  return Object.values(given).every(Boolean) ? (given as Settings) : undefined;
}
