import { Card } from '../../pieces/Card.tsx';
import { Problem } from '../../pieces/Problem.tsx';
import { useWaiting } from '../../pieces/use-waiting.ts';
import { ConcernList } from './ConcernList.tsx';
import { reviewConcerns } from './review-concerns.ts';

/** What waits for a platform admin, which needs no workspace. Not shown while nothing waits. */
export function ReviewAttention() {
  const { data, error } = useWaiting();
  const concerns = reviewConcerns(data);
  if (error !== undefined && data === undefined) return <Problem error={error} />;
  if (concerns.length === 0) return null;
  return (
    <Card title="Needs attention">
      <ConcernList concerns={concerns} />
    </Card>
  );
}
