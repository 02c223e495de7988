// Counts the undelivered bytes of each cell over all threads of the process, in shared memory, and
// tracks whether the disk has space. Requests are rejected before either limit causes a failure.

type SpoolRoom = 'room' | 'spool full' | 'disk full';

/** The maximum number of cells per node; a slot is eight bytes. */
const CELLS_MAX = 1_024;

export function createBudgetMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(CELLS_MAX * BigInt64Array.BYTES_PER_ELEMENT);
}

export class SpoolBudget {
  private readonly unsent: BigInt64Array;
  private readonly slot: number;
  private readonly bytesMax: bigint;
  /** Kept up to date by the caller that checks the disk. */
  isDiskLow = false;

  constructor(memory: SharedArrayBuffer, slot: number, bytesMax: number) {
    this.unsent = new BigInt64Array(memory);
    this.slot = slot;
    this.bytesMax = BigInt(bytesMax);
  }

  add(bytes: number): void {
    Atomics.add(this.unsent, this.slot, BigInt(bytes));
  }

  subtract(bytes: number): void {
    Atomics.sub(this.unsent, this.slot, BigInt(bytes));
  }

  /** Of all threads. */
  unsentBytes(): number {
    return Number(Atomics.load(this.unsent, this.slot));
  }

  room(): SpoolRoom {
    if (this.isDiskLow) return 'disk full';
    return Atomics.load(this.unsent, this.slot) >= this.bytesMax ? 'spool full' : 'room';
  }
}
