import { parse } from 'tldts';
import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';

const NAME_CHARACTERS_MAX = 100;
/** More would slow every browser request of the workspace; a wildcard covers subdomains. */
const ORIGINS_MAX = 50;
const ORIGIN_CHARACTERS_MAX = 255;
/** The column's range. */
const CAP_MAX = 2_147_483_647;
/** Time to release a client app with the new key; a key that leaked is not left for longer. */
const OVERLAP_SECONDS_DEFAULT = 24 * 3600;
/** Apps in stores take weeks to reach their users. */
const OVERLAP_SECONDS_MAX = 30 * 24 * 3600;

/** `https://shop.example.com`, `https://*.example.com`, `capacitor://localhost`, or `*` for all. Without a
 * flag, which a JSON Schema's pattern can't have. */
const ORIGIN = /^(?:\*|[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:\*\.)?[A-Za-z0-9.-]+(?::\d{1,5})?)$/;

/** `https://*.com` would let in everybody's sites; a wildcard of an address, and scripts, name none. */
function isTooWide(origin: string): boolean {
  if (/^(?:javascript|data|blob|about):/i.test(origin)) return true;
  const host = /^[^:]+:\/\/\*\.([^:]+)/.exec(origin)?.[1];
  if (host === undefined) return false;
  const { isIp, publicSuffix, hostname } = parse(host, { allowPrivateDomains: true });
  return isIp === true || (publicSuffix === hostname && host !== 'localhost');
}

const cap = z
  .int({ error: 'must be a whole number.' })
  .min(1, { error: 'must be at least 1.' })
  .max(CAP_MAX, { error: `must be at most ${CAP_MAX}.` })
  .nullish();

export const sdkKeySettings = {
  name: requiredText(NAME_CHARACTERS_MAX).meta({
    description: 'What people call the key.',
    example: 'Web shop',
  }),
  minuteCap: cap.meta({ description: 'Events in a minute; null is unlimited.', example: 6000 }),
  hourCap: cap.meta({ description: 'Events in an hour; null is unlimited.', example: null }),
  origins: z
    .array(
      z
        .string()
        .max(ORIGIN_CHARACTERS_MAX, { error: 'is too long.' })
        .regex(ORIGIN, { error: 'is no origin, such as https://shop.example.com.' })
        .refine(origin => !isTooWide(origin), {
          error: 'is for a whole public suffix, or for no site at all.',
        }),
    )
    .max(ORIGINS_MAX, { error: `has more than ${ORIGINS_MAX} origins.` })
    .nullish()
    .meta({
      description: 'Browser origins that may use the key; empty allows all.',
      example: ['https://shop.example.com'],
    }),
};

export const sdkKeyCreateContract = z.strictObject(sdkKeySettings);
export type SdkKeyCreate = z.output<typeof sdkKeyCreateContract>;

/** Left out stays as it is; null lifts a cap, or lets every origin in. */
export const sdkKeyUpdateContract = z.strictObject({
  id: z.uuid(),
  ...sdkKeySettings,
  name: sdkKeySettings.name.optional(),
});
export type SdkKeyUpdate = z.output<typeof sdkKeyUpdateContract>;

const overlapSeconds = z
  .int({ error: 'must be a whole number.' })
  .min(0, { error: 'must be at least 0.' })
  .max(OVERLAP_SECONDS_MAX, { error: `must be at most ${OVERLAP_SECONDS_MAX}.` })
  .nullish()
  .transform(seconds => seconds ?? OVERLAP_SECONDS_DEFAULT)
  .meta({
    description: `How long the old key still works: 0 to ${OVERLAP_SECONDS_MAX} seconds, a day unless said.`,
    example: OVERLAP_SECONDS_DEFAULT,
  });

export const sdkKeyRotateContract = z.strictObject({ id: z.uuid(), overlapSeconds });
export type SdkKeyRotate = z.output<typeof sdkKeyRotateContract>;

export const sdkKeyRevokeContract = z.strictObject({ id: z.uuid() });
export type SdkKeyRevoke = z.output<typeof sdkKeyRevokeContract>;

/** The same in REST's words. */
const sdkKeyBody = {
  name: sdkKeySettings.name,
  minute_cap: sdkKeySettings.minuteCap,
  hour_cap: sdkKeySettings.hourCap,
  origins: sdkKeySettings.origins,
};
export const sdkKeyCreateBody = z.strictObject(sdkKeyBody).meta({ id: 'SdkKeyCreate' });
export const sdkKeyUpdateBody = z
  .strictObject({ ...sdkKeyBody, name: sdkKeyBody.name.optional() })
  .meta({ id: 'SdkKeyUpdate' });
export const sdkKeyRotateBody = z
  .strictObject({ overlap_seconds: overlapSeconds })
  .meta({ id: 'SdkKeyRotate' });

const time = z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' });

export const sdkKeyResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    name: z.string().meta({ example: 'Web shop' }),
    write_key: z.string().meta({ example: 'wk_Vb2dQzX0mLk7pYt4sNf9aRce' }),
    minute_cap: z.int().nullable().meta({ description: 'Null is unlimited.', example: 6000 }),
    hour_cap: z.int().nullable().meta({ description: 'Null is unlimited.', example: null }),
    origins: z
      .array(z.string())
      .meta({ description: 'Empty allows all.', example: ['https://shop.example.com'] }),
    is_active: z.boolean().meta({ description: 'Whether it works now.', example: true }),
    rotated_from_id: z.uuid().nullable().meta({
      description: 'The key that this one replaces.',
      example: null,
    }),
    created_at: time,
    expires_at: time.nullable().meta({
      description: 'When it stops working, since a rotation replaced it.',
      example: null,
    }),
    revoked_at: time.nullable().meta({ example: null }),
    last_used_at: time.nullable().meta({ description: 'To about a minute.' }),
  })
  .meta({ id: 'SdkKey' });
export type SdkKeyResource = z.output<typeof sdkKeyResource>;
