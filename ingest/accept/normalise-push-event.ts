/** The push events reported by SDKs. */
export const PUSH_EVENT_TYPES = [
  'push.delivered',
  'push.shown',
  'push.clicked',
  'push.dismissed',
  'push.permission_denied',
  'push.subscribed',
  'push.resubscribed',
] as const;
/** The names used by earlier SDKs for three of them. */
export const LEGACY_PUSH_EVENT_TYPES = ['delivered', 'clicked', 'dismissed'] as const;

export type PushEventType = (typeof PUSH_EVENT_TYPES)[number];
type LegacyPushEventType = (typeof LEGACY_PUSH_EVENT_TYPES)[number];

export function normalisePushEvent(type: PushEventType | LegacyPushEventType): PushEventType {
  return isLegacy(type) ? `push.${type}` : type;
}

function isLegacy(type: PushEventType | LegacyPushEventType): type is LegacyPushEventType {
  return !type.startsWith('push.');
}
