// What device tokens look like. Whoever has one can address its device, so a token never stands in a
// message, a log line or an error.

export const DEVICE_PLATFORMS = ['ios', 'android'] as const;
export type DevicePlatform = (typeof DEVICE_PLATFORMS)[number];

/** Of the longest token there may be. */
export const DEVICE_TOKEN_CHARACTERS_MAX = 1_024;

export const DEVICE_TOKEN_FORMATS = {
  /** APNs: 32 bytes today, "variable length" by its documentation; nothing has come near 100. */
  ios: {
    pattern: /^(?:[0-9A-Fa-f]{2}){32,100}$/,
    description: '64 to 200 hexadecimal digits (an even number)',
  },
  /** FCM: an instance id, a colon and base64url. */
  android: {
    pattern: /^[A-Za-z0-9_:.-]{16,1024}$/,
    description: '16 to 1,024 letters, digits and _ : . - characters',
  },
} as const satisfies Record<DevicePlatform, { pattern: RegExp; description: string }>;

/** What is wrong with a platform's token, to be read behind its field's name. */
export function deviceTokenFault(platform: DevicePlatform, token: string): string | undefined {
  const { pattern, description } = DEVICE_TOKEN_FORMATS[platform];
  return pattern.test(token) ? undefined : `must be ${description} for platform ${platform}.`;
}

/** The one way in which a token is stored: hexadecimal digits mean the same in either case. */
export function normalDeviceToken(platform: DevicePlatform, token: string): string {
  return platform === 'ios' ? token.toLowerCase() : token;
}

/** As what a token may be stored that comes without its platform; empty when it is no token. */
export function possibleDeviceTokens(token: string): string[] {
  const platforms = DEVICE_PLATFORMS.filter(platform =>
    DEVICE_TOKEN_FORMATS[platform].pattern.test(token),
  );
  return [...new Set(platforms.map(platform => normalDeviceToken(platform, token)))];
}
