import { useEffect } from 'react';

type Heir = (gone: HTMLElement) => HTMLElement | undefined;

const heirs = new Set<Heir>();

/**
 * For what shows elements that can go away while they have the focus: returns where focus goes then, or
 * undefined for an element of others. `useKeptPlace` notices that the focus is lost, and moves it.
 */
export function useHeir(heir: Heir): void {
  useEffect(() => {
    heirs.add(heir);
    return () => {
      heirs.delete(heir);
    };
  });
}

/** Undefined if nothing on the page knows better than the heading. */
export function heirOf(gone: HTMLElement): HTMLElement | undefined {
  return [...heirs].map(heir => heir(gone)).find(found => found !== undefined);
}
