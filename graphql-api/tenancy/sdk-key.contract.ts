import { parse } from 'tldts';
import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { time } from '../platform/rest/time.contract.ts';
import { overlap, wholeNumber } from '../platform/whole-number.contract.ts';

const NAME_CHARACTERS_MAX = 100;
/** Every browser request of the workspace checks the list. A wildcard covers subdomains. */
const ORIGINS_MAX = 50;
const ORIGIN_CHARACTERS_MAX = 255;
/** The column's range. */
const CAP_MAX = 2_147_483_647;
/** Long enough to release a client app with the new key, short enough for a leaked key. */
const OVERLAP_SECONDS_DEFAULT = 24 * 3600;
/** Updates of store apps take weeks to reach users. */
const OVERLAP_SECONDS_MAX = 30 * 24 * 3600;

/** `https://shop.example.com`, `https://*.example.com`, `capacitor://localhost`, or `*` for all.
 * The expression has no flags, because a JSON Schema pattern cannot have any. */
const ORIGIN = /^(?:\*|[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:\*\.)?[A-Za-z0-9.-]+(?::\d{1,5})?)$/;

/** Rejects `https://*.com`, which covers unrelated sites, and wildcard IP addresses and script
 * URLs, which identify no site. */
function isTooWide(origin: string): boolean {
  if (/^(?:javascript|data|blob|about):/i.test(origin)) return true;
  const host = /^[^:]+:\/\/\*\.([^:]+)/.exec(origin)?.[1];
  if (host === undefined) return false;
  const { isIp, publicSuffix, hostname } = parse(host, { allowPrivateDomains: true });
  return isIp === true || (publicSuffix === hostname && host !== 'localhost');
}

const SDK_KEY_ACCEPTS = ['CONTRACT', 'COMPATIBLE'] as const;
export type SdkKeyAccepts = (typeof SDK_KEY_ACCEPTS)[number];

const cap = wholeNumber(1, CAP_MAX).nullish();

const sdkKeySettings = {
  name: requiredText(NAME_CHARACTERS_MAX).meta({
    description: 'The name of the SDK key.',
    example: 'Web shop',
  }),
  minuteCap: cap.meta({
    description: 'The maximum number of events per minute; null if unlimited.',
    example: 6000,
  }),
  hourCap: cap.meta({
    description: 'The maximum number of events per hour; null if unlimited.',
    example: null,
  }),
  origins: z
    .array(
      z
        .string()
        .max(ORIGIN_CHARACTERS_MAX, {
          error: `must have at most ${ORIGIN_CHARACTERS_MAX} characters.`,
        })
        .regex(ORIGIN, { error: 'must be an origin, such as https://shop.example.com.' })
        .refine(origin => !isTooWide(origin), {
          error: 'must name a site, not a public suffix, a wildcard IP address or a script URL.',
        }),
    )
    .max(ORIGINS_MAX, { error: `must have at most ${ORIGINS_MAX} origins.` })
    .nullish()
    .meta({
      description:
        'The browser origins that can use the SDK key. If the list is empty, all origins can use it.',
      example: ['https://shop.example.com'],
    }),
  accepts: z.enum(SDK_KEY_ACCEPTS).nullish().meta({
    description:
      'CONTRACT: only requests that follow the contract of this service. COMPATIBLE: also requests from the clients of Segment, RudderStack, Jitsu and PostHog. Defaults to CONTRACT for a new SDK key.',
    example: 'CONTRACT',
  }),
};

export const sdkKeyCreateContract = z.strictObject(sdkKeySettings);
export type SdkKeyCreate = z.output<typeof sdkKeyCreateContract>;

/** Omitted fields are unchanged; null removes a cap, allows all origins, or resets `accepts`. */
export const sdkKeyUpdateContract = z.strictObject({
  id: z.uuid(),
  ...sdkKeySettings,
  name: sdkKeySettings.name.optional(),
});
export type SdkKeyUpdate = z.output<typeof sdkKeyUpdateContract>;

const overlapSeconds = overlap(OVERLAP_SECONDS_MAX, OVERLAP_SECONDS_DEFAULT).meta({
  description: `How long the old key keeps working, in seconds (0 to ${OVERLAP_SECONDS_MAX}). Defaults to one day.`,
  example: OVERLAP_SECONDS_DEFAULT,
});

export const sdkKeyRotateContract = z.strictObject({ id: z.uuid(), overlapSeconds });
export type SdkKeyRotate = z.output<typeof sdkKeyRotateContract>;

export const sdkKeyRevokeContract = z.strictObject({ id: z.uuid() });
export type SdkKeyRevoke = z.output<typeof sdkKeyRevokeContract>;

/** The same settings with REST's field names. */
const sdkKeyBody = {
  name: sdkKeySettings.name,
  minute_cap: sdkKeySettings.minuteCap,
  hour_cap: sdkKeySettings.hourCap,
  origins: sdkKeySettings.origins,
  accepts: sdkKeySettings.accepts,
};
export const sdkKeyCreateBody = z.strictObject(sdkKeyBody).meta({ id: 'SdkKeyCreate' });
export const sdkKeyUpdateBody = z
  .strictObject({ ...sdkKeyBody, name: sdkKeyBody.name.optional() })
  .meta({ id: 'SdkKeyUpdate' });
export const sdkKeyRotateBody = z
  .strictObject({ overlap_seconds: overlapSeconds })
  .meta({ id: 'SdkKeyRotate' });

export const sdkKeyResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    name: z.string().meta({ example: 'Web shop' }),
    write_key: z.string().meta({ example: 'wk_Vb2dQzX0mLk7pYt4sNf9aRce' }),
    minute_cap: z.int().nullable().meta({
      description: 'The maximum number of events per minute; null if unlimited.',
      example: 6000,
    }),
    hour_cap: z.int().nullable().meta({
      description: 'The maximum number of events per hour; null if unlimited.',
      example: null,
    }),
    origins: z.array(z.string()).meta({
      description: 'The browser origins that can use the SDK key; empty if all origins can.',
      example: ['https://shop.example.com'],
    }),
    accepts: z.enum(SDK_KEY_ACCEPTS).meta({
      description:
        'CONTRACT: only requests that follow the contract of this service. COMPATIBLE: also requests from the clients of Segment, RudderStack, Jitsu and PostHog.',
      example: 'CONTRACT',
    }),
    is_active: z.boolean().meta({ description: 'Whether the SDK key works now.', example: true }),
    rotated_from_id: z.uuid().nullable().meta({
      description: 'The ID of the SDK key that this one replaced; null if there is none.',
      example: null,
    }),
    created_at: time,
    expires_at: time.nullable().meta({
      description: 'When the SDK key stops working after a rotation; null if it was not rotated.',
      example: null,
    }),
    revoked_at: time.nullable().meta({ example: null }),
    last_used_at: time.nullable().meta({
      description: 'When events were last received with the SDK key, accurate to about a minute.',
    }),
  })
  .meta({ id: 'SdkKey' });
export type SdkKeyResource = z.output<typeof sdkKeyResource>;
