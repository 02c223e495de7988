import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type StepProps = {
  readonly title: string;
  readonly isDone: boolean;
  /** Instructions, or the result once the step is done. */
  readonly children?: ReactNode;
};

/** A step of the checklist. */
export function Step({ title, isDone, children }: StepProps) {
  return (
    <Group component="li" align="flex-start" wrap="nowrap" gap="sm">
      {isDone ? (
        <IconCircleCheckFilled size={22} color="light-dark(#2b8a6e, #5fd3ae)" aria-hidden />
      ) : (
        <IconCircleDashed size={22} aria-hidden />
      )}
      <Stack gap="xs" flex={1} miw={0}>
        <Text fw={600} {...(isDone && { c: 'dimmed' })}>
          {title}
          <VisuallyHidden>{isDone ? ', done' : ', to do'}</VisuallyHidden>
        </Text>
        {children}
      </Stack>
    </Group>
  );
}
