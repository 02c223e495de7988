import { Button, Center } from '@mantine/core';
import { useRef } from 'react';
import { focusable, stopIn } from './use-focus-on-next.ts';
import { useHeir } from './use-heir.ts';

type MoreButtonProps = {
  readonly page: { readonly hasNextPage: boolean };
  readonly isLoading: boolean;
  readonly onMore: () => void;
};

/** Shown below a list that has further pages. After the last one, the first row that it added has the focus. */
export function MoreButton({ page, isLoading, onMore }: MoreButtonProps) {
  const pressed = useRef<Pressed>(undefined);
  useHeir(gone => (gone === pressed.current?.button ? firstAdded(pressed.current) : undefined));
  if (!page.hasNextPage) return null;
  return (
    <Center p="md">
      <Button
        variant="default"
        loading={isLoading}
        onClick={({ currentTarget }) => {
          pressed.current = pressedAt(currentTarget);
          onMore();
        }}
      >
        Show more
      </Button>
    </Center>
  );
}

type Pressed = {
  readonly button: HTMLElement;
  readonly list: HTMLElement;
  /** The rows that were there before. */
  readonly count: number;
};

const ROW = 'tbody tr, li, article';

const rowsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>(ROW)];

function pressedAt(button: HTMLElement): Pressed {
  // The button stands beside the rows, within an element of its own.
  const list = button.parentElement!.parentElement!;
  return { button, list, count: rowsOf(list).length };
}

function firstAdded({ list, count }: Pressed): HTMLElement | undefined {
  const row = rowsOf(list)[count];
  return row && (stopIn(row) ?? focusable(row));
}
