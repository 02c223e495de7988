// Rate limits: each tenant has a bucket of points, refilled at a steady rate. GraphQL and REST deduct
// the same points for the same work.

type BucketLimits = {
  readonly pointsMax: number;
  readonly pointsPerSecond: number;
  /** Called for each rejected request. For a metric. */
  readonly onRefused?: (tenantId: string) => void;
};

type Taken = {
  readonly isGranted: boolean;
  readonly pointsLeft: number;
  /** Whole seconds until enough points are available; 0 if granted. */
  readonly retryAfterSeconds: number;
};

type Bucket = { points: number; atMs: number };

/** From this number of buckets on, full ones are removed, so that only active tenants use memory. */
const SWEEP_BUCKETS = 1_000;

export class PointBuckets {
  readonly limits: BucketLimits;
  private readonly buckets = new Map<string, Bucket>();
  private sweepAt = SWEEP_BUCKETS;

  constructor(limits: BucketLimits) {
    this.limits = limits;
  }

  /** A rejected request deducts nothing, so that retries do not extend the wait. */
  take(tenantId: string, points: number, nowMs: number): Taken {
    const bucket = this.bucketOf(tenantId, nowMs);
    // A request that costs more than the maximum is granted by a full bucket, which becomes negative.
    const missing = Math.min(points, this.limits.pointsMax) - bucket.points;
    if (missing > 0) {
      this.limits.onRefused?.(tenantId);
      const retryAfterSeconds = Math.ceil(missing / this.limits.pointsPerSecond);
      return { isGranted: false, pointsLeft: left(bucket), retryAfterSeconds };
    }
    bucket.points -= points;
    return { isGranted: true, pointsLeft: left(bucket), retryAfterSeconds: 0 };
  }

  /** Refunds points and returns the points that are left. */
  giveBack(tenantId: string, points: number, nowMs: number): number {
    const bucket = this.bucketOf(tenantId, nowMs);
    bucket.points = Math.min(this.limits.pointsMax, bucket.points + points);
    return left(bucket);
  }

  private bucketOf(tenantId: string, nowMs: number): Bucket {
    const bucket = this.buckets.get(tenantId);
    if (bucket === undefined) {
      if (this.buckets.size >= this.sweepAt) this.sweep(nowMs);
      const full = { points: this.limits.pointsMax, atMs: nowMs };
      this.buckets.set(tenantId, full);
      return full;
    }
    this.refill(bucket, nowMs);
    return bucket;
  }

  private refill(bucket: Bucket, nowMs: number): void {
    // A clock that was set back does not change the bucket.
    const seconds = Math.max(0, nowMs - bucket.atMs) / 1000;
    const points = bucket.points + seconds * this.limits.pointsPerSecond;
    bucket.points = Math.min(this.limits.pointsMax, points);
    bucket.atMs = nowMs;
  }

  private sweep(nowMs: number): void {
    for (const [tenantId, bucket] of this.buckets) {
      this.refill(bucket, nowMs);
      if (bucket.points >= this.limits.pointsMax) this.buckets.delete(tenantId);
    }
    // A sweep visits all buckets, so the next one waits until there are twice as many.
    this.sweepAt = Math.max(SWEEP_BUCKETS, this.buckets.size * 2);
  }
}

function left({ points }: Bucket): number {
  return Math.max(0, Math.floor(points));
}
