import { VisuallyHidden } from '@mantine/core';
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useState,
} from 'react';
import type { Deal } from './deals-query.ts';
import type { DealAction } from './use-deal-actions.tsx';

/** A card that is being dragged, and the actions that can move it. */
export type Dragged = { readonly deal: Deal; readonly actions: readonly DealAction[] };

type Drag = {
  readonly dragged: Dragged | undefined;
  readonly setDragged: Dispatch<SetStateAction<Dragged | undefined>>;
  /** For screen readers. */
  readonly announce: (text: string) => void;
};

const DragContext = createContext<Drag | undefined>(undefined);

/** The board of deals, between whose columns cards are dragged. */
export function BoardDrag({ children }: { readonly children: ReactNode }) {
  const [dragged, setDragged] = useState<Dragged>();
  const [announced, announce] = useState('');
  return (
    <DragContext value={{ dragged, setDragged, announce }}>
      <div className="deal-board" data-dragging={dragged !== undefined || undefined}>
        {children}
      </div>
      <VisuallyHidden role="status">{announced}</VisuallyHidden>
    </DragContext>
  );
}

export function useDrag(): Drag {
  const drag = useContext(DragContext);
  if (drag === undefined) throw new Error('useDrag belongs below BoardDrag');
  return drag;
}
