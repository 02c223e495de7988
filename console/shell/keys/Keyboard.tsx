import { ActionIcon, Button, Kbd } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useExactTimes } from '../../pieces/use-exact-times.ts';
import { useOnKey } from '../../pieces/use-on-key.ts';
import { PALETTE_KEYS } from './shortcuts.ts';

const Palette = lazy(() => import('../palette/Palette.tsx'));
const ShortcutList = lazy(() => import('./ShortcutList.tsx'));

/** The search of the header, and the shortcuts of all views. */
export function Keyboard() {
  /** How often the palette was opened; it is loaded with the first time. */
  const [opened, setOpened] = useState(0);
  /** Undefined until the list is first opened. */
  const [isHelping, setIsHelping] = useState<boolean>();
  const { toggle } = useExactTimes();
  const open = () => setOpened(before => before + 1);
  usePaletteKey(open);
  useOnKey(key => {
    if (key === '?') setIsHelping(true);
    else if (key === 't') toggle();
    else return key === '/' && focusSearch();
    return true;
  });
  return (
    <>
      <SearchButton onClick={open} />
      <Suspense>
        {isHelping !== undefined && (
          <ShortcutList isOpen={isHelping} onClose={() => setIsHelping(false)} />
        )}
        {opened > 0 && <Palette opened={opened} onHelp={() => setIsHelping(true)} />}
      </Suspense>
    </>
  );
}

function SearchButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <>
      <Button
        variant="default"
        visibleFrom="md"
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd size="xs">{PALETTE_KEYS.join(' ')}</Kbd>}
        onClick={onClick}
      >
        Search
      </Button>
      <ActionIcon
        variant="default"
        size="lg"
        radius="xl"
        hiddenFrom="md"
        aria-label="Search"
        onClick={onClick}
      >
        <IconSearch size={18} />
      </ActionIcon>
    </>
  );
}

/** Also while typing in a field. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

/** The search of the view, else its first filter. */
function focusSearch(): boolean {
  const field = [
    'input[type=search]',
    ':is(search, [role=search]) input:not([type=radio], [type=checkbox])',
    'input[aria-label^=Search]',
  ]
    .map(selector => document.querySelector<HTMLElement>(`#main :is(${selector})`))
    .find(found => found !== null);
  field?.focus();
  return field !== undefined;
}
