import { IconMessageQuestion } from '@tabler/icons-react';
import { Empty } from '../../../../pieces/Empty.tsx';
import { useIsBehind } from '../../../../pieces/use-delay.ts';

/** While the warehouse is late, responses can still arrive. */
export function NoAnswers() {
  const isBehind = useIsBehind();
  if (isBehind)
    return (
      <Empty title="No answers in the reports yet" icon={IconMessageQuestion}>
        Reports are delayed, so answers from this time range may still appear.
      </Empty>
    );
  return (
    <Empty title="No answers" icon={IconMessageQuestion}>
      No answers were received in this time range. Choose a longer one to look further back.
    </Empty>
  );
}
