// Tokens of native push services, for apps that run in a web view: the native part has the token,
// and the page registers it.

import type { ClientHost } from '../core/client-host.ts';

export type Device = {
  /** As the push service returned it: hexadecimal for iOS, as it is for Android. */
  readonly token: string;
  /** The contract has no devices of browsers: their subscriptions go to the app. */
  readonly platform: 'ios' | 'android';
};

export type DeviceDetails = { readonly appVersion?: string };

/** The service merges repeated registrations, so an app calls it at each start and sign-in. */
export function registerDevice(
  host: ClientHost,
  propertyId: string,
  { token, platform, appVersion }: Device & DeviceDetails,
): void {
  const { userId, anonymousId } = host.identity();
  host.report('/v1/devices/register', {
    device_token: token,
    platform,
    property_id: propertyId,
    anonymous_id: anonymousId,
    ...(userId !== undefined && { contact_id: userId }),
    ...(appVersion !== undefined && { app_version: appVersion }),
    user_agent: navigator.userAgent,
  });
}

export function deactivateDevice(
  host: ClientHost,
  propertyId: string,
  { token, platform, reason }: Device & { readonly reason: string },
): void {
  host.report('/v1/devices/deactivate', {
    device_token: token,
    platform,
    property_id: propertyId,
    reason,
  });
}
