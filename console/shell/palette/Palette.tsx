import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { matching } from './matching.ts';
import { useCommands } from './use-commands.ts';
import { useThings } from './use-things.ts';

type PaletteProps = {
  /** How often it was opened. */
  readonly opened: number;
  readonly onHelp: () => void;
};

/** It has no title of its own. */
const NAMED = { content: { 'aria-label': 'Search' } };

const UNBLURRED = { blur: 0 };

const [store, spotlight] = createSpotlight();

/** Goes to any view, thing or action by its name or ID. */
export default function Palette({ opened, onHelp }: PaletteProps) {
  const [query, setQuery] = useState('');
  /** Then the new page takes the focus. */
  const [isLeaving, setIsLeaving] = useState(false);
  const [, go] = useLocation();
  const commands = useCommands(onHelp);
  const { things, isAsking } = useThings(query);
  const leaveFor = (href: string) => {
    setIsLeaving(true);
    go(href);
  };
  useEffect(() => {
    setIsLeaving(false);
    spotlight.open();
  }, [opened]);
  const found = [...matching(commands, query), ...things];
  const groups = Map.groupBy(found, ({ group }) => group);
  useSelectedFirst(found.map(({ id }) => id).join('\n'));
  return (
    <Spotlight.Root
      store={store}
      returnFocus={!isLeaving}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight="60vh"
      attributes={NAMED}
      centered={false}
      overlayProps={UNBLURRED}
    >
      <Spotlight.Search
        placeholder="A view, an action, a name or an ID"
        aria-label="Search"
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList>
        {[...groups].map(([group, found]) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {found.map(({ id, label, description, run, href, Icon }) => (
              <Spotlight.Action
                key={id}
                label={label}
                {...(description !== undefined && { description })}
                {...(Icon !== undefined && { leftSection: <Icon size={18} stroke={1.7} /> })}
                onClick={() => (href === undefined ? run?.() : leaveFor(href))}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.size === 0 && (
          <Spotlight.Empty>{isAsking ? 'Searching…' : 'Nothing found'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Things that are found later are selected too, so that Enter opens the first one. */
function useSelectedFirst(shown: string): void {
  useEffect(() => {
    const list = document.getElementById(store.getState().listId);
    if (shown === '' || !list || list.querySelector('[data-selected]') !== null) return;
    list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.updateState(state => ({ ...state, selected: 0 }));
  }, [shown]);
}
