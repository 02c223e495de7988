// Recognizes a record that is in a partition twice. A producer that loses its state when the leader
// changes sends its last record again, shortly after the first copy.

/** A producer has one record in flight, and few producers write to a partition at a time. */
const IDS_MAX = 256;

export class RecentRecordIds {
  private readonly byPartition = new Map<number, Map<string, bigint>>();

  /** Whether the partition has the record at an earlier offset as well. */
  isCopy(partition: number, id: string, offset: bigint): boolean {
    const offsets = this.byPartition.get(partition) ?? new Map<string, bigint>();
    this.byPartition.set(partition, offsets);
    const known = offsets.get(id);
    // After a rebalance, records are fetched again at the same offsets.
    if (known !== undefined) return known < offset;
    offsets.set(id, offset);
    if (offsets.size > IDS_MAX) offsets.delete(offsets.keys().next().value!);
    return false;
  }
}
