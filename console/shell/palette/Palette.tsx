import '@mantine/spotlight/styles.css';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
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

/** Goes to any view, thing or action by its name or ID. */
export default function Palette({ opened, onHelp }: PaletteProps) {
  const [query, setQuery] = useState('');
  const [, go] = useLocation();
  const commands = useCommands(onHelp);
  const { things, isAsking } = useThings(query);
  useEffect(() => spotlight.open(), [opened]);
  const wanted = query.trim().toLowerCase();
  const groups = Map.groupBy(
    [...commands.filter(({ label }) => label.toLowerCase().includes(wanted)), ...things],
    ({ group }) => group,
  );
  return (
    <Spotlight.Root
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
                onClick={() => (href === undefined ? run?.() : go(href))}
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
