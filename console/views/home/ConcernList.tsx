import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Concern } from './concern.ts';

/** Each with a link to its page. */
export function ConcernList({ concerns }: { readonly concerns: readonly Concern[] }) {
  if (concerns.length === 0) return null;
  return (
    <Stack gap="xs">
      {concerns.map(({ text, href }) => (
        <ConcernLine key={text} Icon={IconAlertTriangle} color="light-dark(#b35c00, #ffc46b)">
          <Anchor component={Link} href={href} inherit>
            {text}
          </Anchor>
        </ConcernLine>
      ))}
    </Stack>
  );
}

type ConcernLineProps = {
  readonly Icon: typeof IconAlertTriangle;
  readonly color: string;
  readonly children: ReactNode;
};

export function ConcernLine({ Icon, color, children }: ConcernLineProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Icon size={19} color={color} style={{ flex: 'none' }} aria-hidden />
      <Text size="sm">{children}</Text>
    </Group>
  );
}
