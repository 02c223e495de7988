// Requests at a steady rate, while nodes are replaced.

/** Of each kind. On a busy machine, requests are delayed and do not pile up. */
export const OPEN_MAX = 4;

/** With an idempotency key, so that it may be sent again. */
export const CAMPAIGN_CREATE = `mutation ($key: String!, $input: CampaignCreateInput!) {
  campaignCreate(input: $input) @idempotent(key: $key) {
    campaign { id }
    userErrors { code message }
  }
}`;

/** Starts requests at a steady rate, as long as earlier ones are answered. */
export function repeat(perSecond: number, failures: string[], request: () => Promise<void>) {
  const open = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (open.size === OPEN_MAX) return;
    const running = request()
      .catch((error: Error) => void failures.push(String(error)))
      .finally(() => open.delete(running));
    open.add(running);
  }, 1_000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  };
}
