const MINUTE_MS = 60_000;
const ATTEMPTS_MAX = 3;

/**
 * Runs a scenario of counted requests within one window of a cap. Windows follow the clock, so a
 * run that crosses a minute boundary is inconclusive and is repeated with new tenants.
 */
export async function withinOneWindow(scenario: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const minute = currentMinute();
    try {
      await scenario();
      if (currentMinute() === minute || attempt === ATTEMPTS_MAX) return;
    } catch (error) {
      if (currentMinute() === minute || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}
