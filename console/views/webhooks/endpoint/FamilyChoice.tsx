import { ActionIcon, Box, Checkbox, Collapse, Group, Stack } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { EventFamily } from '../endpoint-query.ts';

type FamilyChoiceProps = {
  readonly family: EventFamily;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/** All of a family, those to come included, or some of its types. */
export function FamilyChoice({ family, chosen, onChange }: FamilyChoiceProps) {
  const { choice, description, types } = family;
  const isWhole = chosen.includes(choice);
  const own = types.map(({ type }) => type).filter(type => chosen.includes(type));
  const [isOpen, setIsOpen] = useState(own.length > 0);
  const others = chosen.filter(one => one !== choice && !own.includes(one));
  const turn = (type: string, isOn: boolean) =>
    onChange([...others, ...own.filter(one => one !== type), ...(isOn ? [type] : [])]);
  return (
    <Box py={8} style={{ borderTop: '1px solid var(--card-line)' }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <Checkbox
          label={<span className="mono">{choice}</span>}
          description={description}
          checked={isWhole}
          indeterminate={!isWhole && own.length > 0}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...others, choice] : others)
          }
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${isOpen ? 'Hide' : 'Show'} the types of ${choice}`}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={17} /> : <IconChevronRight size={17} />}
        </ActionIcon>
      </Group>
      <Collapse expanded={isOpen}>
        <Stack gap={10} pl={34} pt={10}>
          {types.map(({ type, description }) => (
            <Checkbox
              key={type}
              size="sm"
              label={<span className="mono">{type}</span>}
              description={description}
              checked={isWhole || own.includes(type)}
              disabled={isWhole}
              onChange={({ currentTarget }) => turn(type, currentTarget.checked)}
            />
          ))}
        </Stack>
      </Collapse>
    </Box>
  );
}
