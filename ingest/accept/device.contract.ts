import { z } from 'zod';
import { optionalText, requiredText } from '../../schema/values/text.ts';
import { conditionalSchema } from './conditional-schema.ts';
import {
  DEVICE_PLATFORMS,
  DEVICE_TOKEN_CHARACTERS_MAX,
  DEVICE_TOKEN_FORMATS,
  deviceTokenFault,
  possibleDeviceTokens,
} from './device-token.ts';

/** User agents of browsers and of some devices exceed the limit of other strings. */
const USER_AGENT_CHARACTERS_MAX = 1_024;

const APNS_TOKEN = '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad';

const deviceToken = requiredText(DEVICE_TOKEN_CHARACTERS_MAX).meta({
  description:
    'The raw device token. iOS: 64 to 200 hexadecimal digits (an even number), in upper or lower case. Android: 16 to 1,024 letters, digits and `_ : . -` characters.',
  example: APNS_TOKEN,
});

const propertyId = (without: string) =>
  optionalText().meta({
    description: `The ID of the app’s property. Defaults to X-Property-Id. ${without}`,
  });

/** The token format of each platform for JSON Schema, whose patterns have no flags. */
const tokenOfPlatform = DEVICE_PLATFORMS.map(platform =>
  conditionalSchema(
    { required: ['platform'], properties: { platform: { const: platform } } },
    { properties: { device_token: { pattern: DEVICE_TOKEN_FORMATS[platform].pattern.source } } },
  ),
);

/** Spec, Device registration body: POST /v1/devices/register. */
export const deviceRegisterBody = z
  .looseObject({
    device_token: deviceToken,
    platform: z.enum(DEVICE_PLATFORMS).meta({ description: 'The platform of the token.' }),
    property_id: propertyId('Without either, the token is registered without a property.'),
    contact_id: optionalText().meta({
      description: 'The contact ID, if the person is identified.',
    }),
    anonymous_id: optionalText().meta({
      description: 'The anonymous ID that the SDK generated.',
      example: 'device-1',
    }),
    app_version: optionalText().meta({
      description: 'The version of the host app, for cohort analysis.',
      example: '4.2.1',
    }),
    user_agent: optionalText(USER_AGENT_CHARACTERS_MAX).meta({
      description: 'A description of the SDK and the operating system.',
      example: 'service-ios/4.2.1 (iOS 20.1)',
    }),
  })
  .superRefine(({ device_token, platform }, context) => {
    const fault = deviceTokenFault(platform, device_token);
    if (fault !== undefined) refuseToken(context, fault);
  })
  .meta({
    description:
      'Registers a device token or confirms that it is still in use. There is one record per property and token; omitted fields keep their earlier values. A registration within 30 days of a deactivation resumes the record. A later one starts a new record.',
    allOf: tokenOfPlatform,
    example: {
      device_token: APNS_TOKEN,
      platform: 'ios',
      anonymous_id: 'device-1',
      app_version: '4.2.1',
      user_agent: 'service-ios/4.2.1 (iOS 20.1)',
    },
  });

export type DeviceRegisterBody = z.output<typeof deviceRegisterBody>;

/** Spec, Device deactivation body: POST /v1/devices/deactivate. */
export const deviceDeactivateBody = z
  .looseObject({
    device_token: deviceToken,
    // An empty string means not known, as for optional strings.
    platform: z
      .preprocess(value => (value === '' ? undefined : value), z.enum(DEVICE_PLATFORMS).nullish())
      .meta({ description: 'The platform of the token.' }),
    property_id: propertyId(
      'Without either, the token is deactivated for every property of the workspace, because a token that a push service reports as invalid is invalid everywhere.',
    ),
    reason: optionalText().meta({
      description: 'Why the token was deactivated, as free text for debugging.',
      example: 'fcm_unregistered',
    }),
  })
  .superRefine(({ device_token, platform }, context) => {
    if (platform == null) {
      if (possibleDeviceTokens(device_token).length === 0)
        refuseToken(context, 'must be an iOS or Android device token.');
      return;
    }
    const fault = deviceTokenFault(platform, device_token);
    if (fault !== undefined) refuseToken(context, fault);
  })
  .meta({
    description:
      'Marks a device token as inactive. Idempotent: unknown and inactive tokens return the same response, and the reason and time of the first deactivation are kept.',
    allOf: tokenOfPlatform,
    example: { device_token: APNS_TOKEN, platform: 'ios', reason: 'apns_inactive' },
  });

export type DeviceDeactivateBody = z.output<typeof deviceDeactivateBody>;

function refuseToken(context: z.RefinementCtx, message: string): void {
  context.addIssue({ code: 'custom', path: ['device_token'], message });
}
