// Formats of device tokens. A token allows anyone to address its device, so it must never appear in
// a message, a log line or an error.

export const DEVICE_PLATFORMS = ['ios', 'android'] as const;
export type DevicePlatform = (typeof DEVICE_PLATFORMS)[number];

/** The length of the longest valid token. */
export const DEVICE_TOKEN_CHARACTERS_MAX = 1_024;

export const DEVICE_TOKEN_FORMATS = {
  /**
   * APNs: 32 bytes today, "variable length" according to its documentation; no token near 100 bytes
   * is known.
   */
  ios: {
    pattern: /^(?:[0-9A-Fa-f]{2}){32,100}$/,
    description: '64 to 200 hexadecimal digits (an even number)',
  },
  /** FCM: an instance ID, a colon and base64url. */
  android: {
    pattern: /^[A-Za-z0-9_:.-]{16,1024}$/,
    description: '16 to 1,024 letters, digits and _ : . - characters',
  },
} as const satisfies Record<DevicePlatform, { pattern: RegExp; description: string }>;

/** The problem of a platform's token, worded to follow the field's name. */
export function deviceTokenFault(platform: DevicePlatform, token: string): string | undefined {
  const { pattern, description } = DEVICE_TOKEN_FORMATS[platform];
  return pattern.test(token) ? undefined : `must be ${description} for platform ${platform}.`;
}

/** The form in which a token is stored. Hexadecimal digits are case-insensitive. */
export function normalDeviceToken(platform: DevicePlatform, token: string): string {
  return platform === 'ios' ? token.toLowerCase() : token;
}

/**
 * The forms in which a token without a platform may be stored; empty if it is not a valid token.
 */
export function possibleDeviceTokens(token: string): string[] {
  const platforms = DEVICE_PLATFORMS.filter(platform =>
    DEVICE_TOKEN_FORMATS[platform].pattern.test(token),
  );
  return [...new Set(platforms.map(platform => normalDeviceToken(platform, token)))];
}
