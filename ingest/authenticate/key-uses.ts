/**
 * Which keys a thread let in since it last told. A request costs it one look into a set; how often
 * a key is used, and when within the interval, is for the event tables.
 */
export class KeyUses {
  #keyIds = new Set<string>();

  note(keyId: string): void {
    this.#keyIds.add(keyId);
  }

  /** Those since the last call. */
  take(): string[] {
    const keyIds = [...this.#keyIds];
    this.#keyIds = new Set();
    return keyIds;
  }
}
