// The push token of a mobile app, for apps that show pages in a web view.

import type { Properties } from './event.ts';

export type Device = {
  readonly token: string;
  readonly platform: 'ios' | 'android';
  readonly propertyId?: string;
  readonly appVersion?: string;
};

export type DeviceReason = {
  /** Free text, such as `apns_inactive`. */
  readonly reason?: string;
};

/** Undefined members are not part of the JSON. */
export function registerBody(device: Device, anonymousId: string | undefined, contactId?: string) {
  return {
    ...tokenOf(device),
    app_version: device.appVersion,
    anonymous_id: anonymousId,
    contact_id: contactId,
  } satisfies Properties;
}

export function deactivateBody(device: Device & DeviceReason) {
  return { ...tokenOf(device), reason: device.reason } satisfies Properties;
}

function tokenOf({ token, platform, propertyId }: Device) {
  return { device_token: token, platform, property_id: propertyId };
}
