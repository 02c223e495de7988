import { State } from '../../pieces/State.tsx';
import type { Segment } from './segment-query.ts';

type SegmentStateProps = {
  readonly segment: Pick<Segment, 'archivedAt' | 'fault' | 'evaluatedAt'>;
};

export function SegmentState({ segment: { archivedAt, fault, evaluatedAt } }: SegmentStateProps) {
  if (archivedAt !== null) return <State name="ARCHIVED" />;
  if (fault !== null) return <State name="FAILED" tone="bad" label="Evaluation failed" />;
  if (evaluatedAt === null) return <State name="WAITING" tone="waiting" label="Evaluating" />;
  return <State name="EVALUATED" tone="good" />;
}
