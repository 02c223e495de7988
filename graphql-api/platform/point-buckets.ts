// How much a tenant may ask: a bucket of points each, refilled steadily. GraphQL takes what a query
// costs, REST the same points for the same reads, so neither is a way around the other.

export type BucketLimits = {
  readonly pointsMax: number;
  readonly pointsPerSecond: number;
};

export type Taken = {
  readonly isGranted: boolean;
  readonly pointsLeft: number;
  /** Whole seconds until as many points are there; 0 when they were. */
  readonly retryAfterSeconds: number;
};

type Bucket = { points: number; atMs: number };

/** A bucket that is full again is as good as none, so memory follows the tenants of the last moments. */
const SWEEP_BUCKETS = 1_000;

export class PointBuckets {
  readonly limits: BucketLimits;
  private readonly buckets = new Map<string, Bucket>();
  private sweepAt = SWEEP_BUCKETS;

  constructor(limits: BucketLimits) {
    this.limits = limits;
  }

  /** A refused request takes nothing, so that retrying does not push the answer further away. */
  take(tenantId: string, points: number, nowMs: number): Taken {
    const bucket = this.bucketOf(tenantId, nowMs);
    // What costs more than a bucket holds passes a full one, and leaves a debt.
    const missing = Math.min(points, this.limits.pointsMax) - bucket.points;
    if (missing > 0) {
      const retryAfterSeconds = Math.ceil(missing / this.limits.pointsPerSecond);
      return { isGranted: false, pointsLeft: left(bucket), retryAfterSeconds };
    }
    bucket.points -= points;
    return { isGranted: true, pointsLeft: left(bucket), retryAfterSeconds: 0 };
  }

  /** What was taken and turned out not to be needed. Gives the points that are there now. */
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
    // A clock that was set back gives nothing, and takes nothing.
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
    // Sweeping costs as much as there are buckets, so it waits until there are twice as many.
    this.sweepAt = Math.max(SWEEP_BUCKETS, this.buckets.size * 2);
  }
}

function left({ points }: Bucket): number {
  return Math.max(0, Math.floor(points));
}
