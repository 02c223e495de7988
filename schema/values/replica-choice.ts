/** How long a replica that failed is not used while another one responds. */
export const AVOIDED_MS = 5_000;

/** Which of several equal servers to try first. A server that failed moves to the end for a while. */
export class ReplicaChoice {
  private readonly avoidedUntilMs: number[];
  private readonly monotonicMs: () => number;
  private turn = 0;

  constructor(count: number, monotonicMs: () => number) {
    this.avoidedUntilMs = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
    this.monotonicMs = monotonicMs;
  }

  /** All servers, in the order in which to try them: the one in use first. */
  order(): readonly number[] {
    const nowMs = this.monotonicMs();
    const all = this.avoidedUntilMs.map((_, n) => (this.turn + n) % this.avoidedUntilMs.length);
    const isAvoided = (n: number) => this.avoidedUntilMs[n]! > nowMs;
    return [...all.filter(n => !isAvoided(n)), ...all.filter(isAvoided)];
  }

  /** Makes the next server the first one. */
  advance(): void {
    this.turn = (this.turn + 1) % this.avoidedUntilMs.length;
  }

  failed(server: number): void {
    this.avoidedUntilMs[server] = this.monotonicMs() + AVOIDED_MS;
  }
}
