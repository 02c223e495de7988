import { Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { CopyAction } from './CopyAction.tsx';

type CopyIconProps = {
  readonly text: string;
  /** What is copied, for screen readers. */
  readonly label: string;
  /** The text as it is shown. */
  readonly children: ReactNode;
  /** Focuses the button, for a text that the viewer has just made. */
  readonly isFresh?: boolean;
  /** Once it has the focus, it is no longer fresh. */
  readonly onFocus?: () => void;
};

/** A short text in a row of a table, with a button that copies it. */
export function CopyIcon({ text, label, children, isFresh = false, onFocus }: CopyIconProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFresh) button.current?.focus();
  }, [isFresh]);
  return (
    <Group gap={4} wrap="nowrap">
      {children}
      <CopyAction
        ref={button}
        text={text}
        label={label}
        variant="subtle"
        color="gray"
        onFocus={onFocus}
      />
    </Group>
  );
}
