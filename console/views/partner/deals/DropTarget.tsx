import { Box } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useDrag } from './BoardDrag.tsx';
import type { BoardColumn } from './board-columns.ts';

/**
 * Covers a column while a card of another one is dragged: with the action that a drop performs, or
 * as not allowed.
 */
export function DropTarget({ statuses }: Pick<BoardColumn, 'statuses'>) {
  const { dragged, setDragged } = useDrag();
  const [isOver, setIsOver] = useState(false);
  if (dragged === undefined || statuses.includes(dragged.deal.status)) return null;
  const action = dragged.actions.find(({ to }) => statuses.includes(to));
  if (action === undefined)
    return (
      <div className="deal-target" data-refused>
        <IconBan size={16} aria-hidden /> Not allowed
      </div>
    );
  const accept = (event: DragEvent) => {
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    setDragged(undefined);
    action.open();
  };
  return (
    // The menu of each card has the same actions for the keyboard.
    <Box
      className="deal-target"
      data-over={isOver || undefined}
      onDragEnter={accept}
      onDragOver={accept}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <action.Icon size={16} aria-hidden /> {action.label}
    </Box>
  );
}
