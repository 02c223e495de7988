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
  readonly pageSize?: number;
};

export type SmsRegistrarConfig = {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly webhookSecret: string;
  readonly pageSize?: number;
};

export type ApprovalConfig = {
  readonly messagingApp: MessagingAppConfig | undefined;
  readonly smsRegistrar: SmsRegistrarConfig | undefined;
};

const DEFAULT_API_URL = 'https://graph.facebook.com/v23.0';

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
  APPROVAL_PAGE_SIZE: z.coerce.number().int().min(1).max(500).optional(),
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
  const { MESSAGING_APP_API_URL: baseUrl, APPROVAL_PAGE_SIZE: pageSize } = values;
  const paged = pageSize === undefined ? {} : { pageSize };
  const {
    MESSAGING_APP_ACCOUNT_ID: accountId,
    MESSAGING_APP_ACCESS_TOKEN: accessToken,
    MESSAGING_APP_SECRET: appSecret,
    MESSAGING_APP_VERIFY_TOKEN: verifyToken,
    SMS_REGISTRAR_URL: registrarUrl,
    SMS_REGISTRAR_TOKEN: registrarToken,
    SMS_REGISTRAR_SECRET: webhookSecret,
  } = values;
  return {
    messagingApp:
      accountId && accessToken && appSecret && verifyToken
        ? { baseUrl, accountId, accessToken, appSecret, verifyToken, ...paged }
        : undefined,
    smsRegistrar:
      registrarUrl && registrarToken && webhookSecret
        ? { baseUrl: registrarUrl, accessToken: registrarToken, webhookSecret, ...paged }
        : undefined,
  };
}
