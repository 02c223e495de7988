/**
 * The keys that a thread accepted since its last report. Each request costs one set lookup. How
 * often and exactly when a key was used is in the event tables.
 */
export class KeyUses {
  #keyIds = new Set<string>();

  note(keyId: string): void {
    this.#keyIds.add(keyId);
  }

  /** Returns the keys since the last call. */
  take(): string[] {
    const keyIds = [...this.#keyIds];
    this.#keyIds = new Set();
    return keyIds;
  }
}
