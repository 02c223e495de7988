import { useLocalStorage } from '@mantine/hooks';

type ExactTimes = { readonly isExact: boolean; readonly toggle: () => void };

/** Whether moments are shown to the second rather than as "5 minutes ago", in all views. */
export function useExactTimes(): ExactTimes {
  const [isExact, setIsExact] = useLocalStorage({
    key: 'console-exact-times',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return { isExact, toggle: () => setIsExact(before => !before) };
}
