import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Card } from '../../pieces/Card.tsx';
import { Loading } from '../../pieces/Loading.tsx';
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
            <Line Icon={IconCircleCheck} color="light-dark(#2b8a6e, #5fd3ae)">
              Nothing needs your attention.
            </Line>
          )}
          {concerns.map(({ text, href }) => (
            <Line key={text} Icon={IconAlertTriangle} color="light-dark(#b35c00, #ffc46b)">
              <Anchor component={Link} href={href} inherit>
                {text}
              </Anchor>
            </Line>
          ))}
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

type LineProps = {
  readonly Icon: typeof IconCircleCheck;
  readonly color: string;
  readonly children: ReactNode;
};

function Line({ Icon, color, children }: LineProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Icon size={19} color={color} style={{ flex: 'none' }} aria-hidden />
      <Text size="sm">{children}</Text>
    </Group>
  );
}
