import { Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Card } from '../../pieces/Card.tsx';
import { Loading } from '../../pieces/Loading.tsx';
import { ConcernLine, ConcernList } from './ConcernList.tsx';
import { useConcerns } from './use-concerns.ts';

/** Problems and open reviews, each with a link to its page. */
export function Attention() {
  const { concerns, isAsking, unknown } = useConcerns();
  return (
    <Card title="Needs attention">
      {isAsking ? (
        <Loading label="Loading what needs attention" />
      ) : (
        <Stack gap="xs">
          {concerns.length === 0 && unknown.length === 0 && (
            <ConcernLine Icon={IconCircleCheck} color="light-dark(#2b8a6e, #5fd3ae)">
              Nothing needs your attention.
            </ConcernLine>
          )}
          <ConcernList concerns={concerns} />
          {unknown.length > 0 && (
            <Text size="sm" c="dimmed">
              Couldn’t check {unknown.join(' and ')}.
            </Text>
          )}
        </Stack>
      )}
    </Card>
  );
}
