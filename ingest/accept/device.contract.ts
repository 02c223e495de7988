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

/** Those of browsers and of some devices grow beyond what other strings may have. */
const USER_AGENT_CHARACTERS_MAX = 1_024;

const APNS_TOKEN = '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad';

const deviceToken = requiredText(DEVICE_TOKEN_CHARACTERS_MAX).meta({
  description:
    'The raw token. iOS: 64 to 200 hexadecimal digits, an even number, in either case. Android: 16 to 1,024 letters, digits and characters of `_ : . -`.',
  example: APNS_TOKEN,
});

const propertyId = (without: string) =>
  optionalText().meta({
    description: `The property the install belongs to, else that of X-Property-Id; ${without}`,
  });

/** The token of each platform, for a JSON Schema; its patterns have no flags. */
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
    platform: z.enum(DEVICE_PLATFORMS).meta({ description: 'What kind of token it is.' }),
    property_id: propertyId('without either, the token is registered for no property.'),
    contact_id: optionalText().meta({ description: 'Contact id when identified.' }),
    anonymous_id: optionalText().meta({ description: 'SDK anonymous id.', example: 'device-1' }),
    app_version: optionalText().meta({
      description: 'Host app version, for cohorting.',
      example: '4.2.1',
    }),
    user_agent: optionalText(USER_AGENT_CHARACTERS_MAX).meta({
      description: 'SDK and OS descriptor.',
      example: 'service-ios/4.2.1 (iOS 20.1)',
    }),
  })
  .superRefine(({ device_token, platform }, context) => {
    const fault = deviceTokenFault(platform, device_token);
    if (fault !== undefined) refuseToken(context, fault);
  })
  .meta({
    description:
      'Registers a device token, or says that it is still in use. One record per property and token: what a repeat leaves out keeps its earlier value. A token that was deactivated resumes its record for 30 days; later its life begins anew.',
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
    // Empty is not known, as in optional strings.
    platform: z
      .preprocess(value => (value === '' ? undefined : value), z.enum(DEVICE_PLATFORMS).nullish())
      .meta({ description: 'What kind of token it is.' }),
    property_id: propertyId(
      'without either, the token becomes inactive for every property of the workspace, since a token that a push service reports dead is dead everywhere.',
    ),
    reason: optionalText().meta({
      description: 'Free text for whoever looks into it.',
      example: 'fcm_unregistered',
    }),
  })
  .superRefine(({ device_token, platform }, context) => {
    if (platform == null) {
      if (possibleDeviceTokens(device_token).length === 0)
        refuseToken(context, 'is neither an iOS nor an Android device token.');
      return;
    }
    const fault = deviceTokenFault(platform, device_token);
    if (fault !== undefined) refuseToken(context, fault);
  })
  .meta({
    description:
      'Marks a device token inactive. Unknown and already inactive tokens are answered in the same way; the first deactivation is the one that is remembered.',
    allOf: tokenOfPlatform,
    example: { device_token: APNS_TOKEN, platform: 'ios', reason: 'apns_inactive' },
  });

export type DeviceDeactivateBody = z.output<typeof deviceDeactivateBody>;

function refuseToken(context: z.RefinementCtx, message: string): void {
  context.addIssue({ code: 'custom', path: ['device_token'], message });
}
