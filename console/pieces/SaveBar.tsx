import './save-bar.css';
import { Box, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';

type SaveBarProps = {
  readonly isChanged: boolean;
  /** Of a form that saves itself: what became of the changes. */
  readonly state?: string | undefined;
  /** What can be saved, but is probably not meant. */
  readonly warning?: string | undefined;
  /** The buttons, the main one last. */
  readonly children: ReactNode;
};

/** The foot of a long form, in view wherever one types. Ctrl or Cmd + S presses its main button. */
export function SaveBar({ isChanged, state, warning, children }: SaveBarProps) {
  const buttons = useRef<HTMLDivElement>(null);
  useHotkeys([['mod+S', () => pressMain(buttons.current)]], []);
  return (
    <Group className="card save-bar" justify="space-between" px="lg" py="sm" gap="sm">
      <Box role="status" flex="1 1 12rem">
        <Text size="sm" c="dimmed">
          {state ?? (isChanged ? 'Unsaved changes' : 'No unsaved changes')}
        </Text>
        {warning !== undefined && (
          <Text size="sm">
            <IconAlertTriangle size={15} style={{ verticalAlign: -2 }} aria-hidden /> {warning}
          </Text>
        )}
      </Box>
      <Group gap="sm" ref={buttons}>
        {children}
      </Group>
    </Group>
  );
}

/** Not under an open dialog, whose form it would not save. */
function pressMain(buttons: HTMLElement | null): void {
  if (document.querySelector('[role="dialog"]') !== null) return;
  // Some fields, such as tags, accept what was typed when they lose the focus.
  const field = document.activeElement;
  if (field instanceof HTMLElement) {
    field.blur();
    field.focus();
  }
  // Once their values have been rendered.
  setTimeout(() => [...(buttons?.querySelectorAll('button') ?? [])].at(-1)?.click());
}
