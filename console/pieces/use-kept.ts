import { useState } from 'react';
import { useViewer } from '../session/ViewerProvider.tsx';

type Kept<T> = {
  readonly value: T;
  readonly change: (next: T) => void;
  /** The value is from an earlier visit to the page that did not save it. */
  readonly isRestored: boolean;
  /** After the value was saved, or to return to `initial`. */
  readonly forget: () => void;
};

/**
 * Unsaved input of a form that survives leaving or reloading the page, in this tab. `name`
 * identifies the form; the value must be JSON.
 */
export function useKept<T>(name: string, initial: T): Kept<T> {
  const { userId, workspace } = useViewer();
  const key = `kept ${userId} ${workspace?.id ?? ''} ${name}`;
  const [kept] = useState(() => readKept<T>(key));
  const [value, setValue] = useState<T | undefined>(kept);
  const [isRestored, setIsRestored] = useState(kept !== undefined);
  return {
    value: value ?? initial,
    change(next) {
      setValue(next);
      sessionStorage.setItem(key, JSON.stringify(next));
    },
    isRestored,
    forget() {
      sessionStorage.removeItem(key);
      setValue(undefined);
      setIsRestored(false);
    },
  };
}

function readKept<T>(key: string): T | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as T);
}
