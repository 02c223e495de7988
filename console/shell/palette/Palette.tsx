import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useViewer } from '../../session/ViewerProvider.tsx';
import type { Entry } from './entry.ts';
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
  const [, go] = useLocation();
  const commands = useCommands(onHelp);
  const { things, isAsking } = useThings(query);
  const { workspace } = useViewer();
  useEffect(() => spotlight.open(), [opened]);
  const found = [...matching(commands, query), ...things];
  const groups = Map.groupBy(found, ({ group }) => group);
  useSelectedFirst(query, [...groups.values()].flat());
  return (
    <Spotlight.Root
      store={store}
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
        placeholder={
          workspace === null
            ? 'A view, an action or a workspace'
            : 'A view, an action, a name or an ID'
        }
        aria-label="Search"
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList>
        {[...groups].map(([group, found]) => (
          <Group key={group} label={group} entries={found} onLeave={go} />
        ))}
        {groups.size === 0 && (
          <Spotlight.Empty>{isAsking ? 'Searching…' : 'Nothing found'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

type GroupProps = {
  readonly label: string;
  readonly entries: readonly Entry[];
  readonly onLeave: (href: string) => void;
};

function Group({ label, entries, onLeave }: GroupProps) {
  return (
    <Spotlight.ActionsGroup label={label}>
      {entries.map(({ id, label, description, run, href, Icon }) => (
        <Spotlight.Action
          key={id}
          label={label}
          {...(description !== undefined && { description })}
          {...(Icon !== undefined && { leftSection: <Icon size={18} stroke={1.7} /> })}
          onClick={() => (href === undefined ? run?.() : onLeave(href))}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/**
 * Enter opens the first of the shown entries, also of those that are found later, unless the user has
 * moved to another since the last change of the text.
 */
function useSelectedFirst(query: string, shown: readonly Entry[]): void {
  const selectedFor = useRef('');
  const ids = shown.map(({ id }) => id).join('\n');
  useEffect(() => {
    const { listId, selected } = store.getState();
    const list = document.getElementById(listId);
    const before = list?.querySelector('[data-selected]') ?? undefined;
    const isMoved = before !== undefined && selected > 0 && selectedFor.current === query;
    selectedFor.current = query;
    if (ids === '' || isMoved) return;
    before?.removeAttribute('data-selected');
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.updateState(state => ({ ...state, selected: 0 }));
  }, [query, ids]);
}
