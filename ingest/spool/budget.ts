// How many bytes of each cell wait to be sent, counted over all threads of the process in shared
// memory, and whether the disk has room: the reasons to refuse before anything breaks.

export type SpoolRoom = 'room' | 'spool full' | 'disk full';

/** Cells a node can serve; a slot is eight bytes. */
const CELLS_MAX = 1_024;

export function createBudgetMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(CELLS_MAX * BigInt64Array.BYTES_PER_ELEMENT);
}

export class SpoolBudget {
  private readonly unsent: BigInt64Array;
  private readonly slot: number;
  private readonly bytesMax: bigint;
  /** Kept up to date by whoever looks at the disk. */
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

  room(): SpoolRoom {
    if (this.isDiskLow) return 'disk full';
    return Atomics.load(this.unsent, this.slot) >= this.bytesMax ? 'spool full' : 'room';
  }
}
