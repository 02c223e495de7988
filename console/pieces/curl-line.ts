/** A command that sends one event with a key, as it would be pasted into a terminal. */
export function curlLine(base: string, writeKey: string, now: Date): string {
  const time = now.toISOString();
  const batch = {
    writeKey,
    sentAt: time,
    batch: [
      {
        type: 'track',
        event: 'Console Tried',
        messageId: `console-${now.getTime()}`,
        timestamp: time,
        anonymousId: 'device-1',
        userId: 'user-1',
        sessionId: 'session-1',
        properties: { from: 'the console' },
      },
    ],
  };
  return `curl -sS ${base}/v1/batch -H 'Content-Type: application/json' -d '${JSON.stringify(batch)}'`;
}
