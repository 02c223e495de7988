import { useMediaQuery } from '@mantine/hooks';
import { type DragEvent, type HTMLAttributes, type KeyboardEvent, useEffect } from 'react';
import { useDrag } from './BoardDrag.tsx';
import { BOARD_COLUMNS, columnOf } from './board-columns.ts';
import type { Deal } from './deals-query.ts';
import { useDealActions } from './use-deal-actions.tsx';

/** From here on the columns stand side by side, see deal-board.css. */
const SIDE_BY_SIDE = '(min-width: 48em)';

type CardDrag = {
  readonly card: HTMLAttributes<HTMLElement>;
  /** For the link of the card. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

/** Moves a card to another column: with the pointer, or with the arrow keys on its link. */
export function useCardDrag(deal: Deal): CardDrag {
  const { setDragged, announce } = useDrag();
  const isSideBySide = useMediaQuery(SIDE_BY_SIDE) ?? false;
  const { id } = deal;
  // A card that disappears while it is dragged reports no end.
  useEffect(
    () => () => setDragged(now => (now?.deal.id === id ? undefined : now)),
    [id, setDragged],
  );
  const here = columnOf(deal.status);
  const actions = useDealActions(deal).filter(({ to }) => columnOf(to) !== here);
  const stay = () =>
    announce(`${deal.prospectCompanyName} stays in “${BOARD_COLUMNS[here]!.title}”.`);
  const start = (event: DragEvent<HTMLElement>) => {
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', deal.prospectCompanyName);
    // The dialog that a drop opens returns the focus to it.
    event.currentTarget.querySelector('a')?.focus();
    announce('');
    setDragged({ deal, actions });
  };
  const end = (event: DragEvent) => {
    setDragged(undefined);
    if (event.dataTransfer.dropEffect === 'none') stay();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const action = nearest(
      actions.filter(({ to }) => (columnOf(to) - here) * step > 0),
      ({ to }) => Math.abs(columnOf(to) - here),
    );
    if (action === undefined) stay();
    else action.open();
  };
  const isDraggable = isSideBySide && actions.length > 0;
  return {
    card: isDraggable ? { draggable: true, onDragStart: start, onDragEnd: end } : {},
    onKeyDown,
  };
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

function nearest<Item>(items: readonly Item[], distanceOf: (item: Item) => number) {
  return items.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0];
}
