import { Anchor, Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconSearch, IconTemplate } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { REVIEWS } from '../template-paths.ts';
import { TEMPLATE_LIST } from './list-query.ts';
import { NewTemplate } from './NewTemplate.tsx';
import { columnsOf } from './template-columns.tsx';
import { useUnderWay } from './use-under-way.ts';

/** Whether the input has paused. */
const TYPING_MS = 250;
/** An empty list has no types, so it must be told to refetch once a template exists. */
const CONTEXT = { additionalTypenames: ['Template'] };

export function TemplateList() {
  const [isNew, setIsNew] = useState(false);
  const [typed, setTyped] = useState('');
  const [isArchived, setIsArchived] = useState(false);
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const variables = { isArchived, ...(search !== '' && { search }) };
  const asked = useQuery({ query: TEMPLATE_LIST, variables, context: CONTEXT });
  const isAdmin = useMay('PLATFORM_ADMIN');
  return (
    <Page
      title="Templates"
      about="Messages for email, SMS and the messaging app. Each change creates a new version; people in a journey keep theirs."
      actions={
        <>
          {isAdmin && (
            <Button component={Link} href={REVIEWS} variant="default">
              Reviews
            </Button>
          )}
          <Button leftSection={<IconPlus size={17} />} onClick={() => setIsNew(true)}>
            New template
          </Button>
        </>
      }
    >
      <Group gap="sm">
        <TextInput
          aria-label="Search by name"
          placeholder="Search by name"
          leftSection={<IconSearch size={16} />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          style={{ flex: '1 1 220px', maxWidth: 360 }}
        />
        <SegmentedControl
          aria-label="Template state"
          value={isArchived ? 'archived' : 'live'}
          onChange={value => setIsArchived(value === 'archived')}
          data={[
            { value: 'live', label: 'In use' },
            { value: 'archived', label: 'Archived' },
          ]}
        />
      </Group>
      <Asked asked={asked} label="Loading templates">
        {data => (
          <Rows
            data={data}
            variables={variables}
            onNew={() => setIsNew(true)}
            onClear={() => setTyped('')}
          />
        )}
      </Asked>
      <NewTemplate isOpen={isNew} onClose={() => setIsNew(false)} />
    </Page>
  );
}

type RowsProps = {
  readonly data: ResultOf<typeof TEMPLATE_LIST>;
  readonly variables: { readonly search?: string; readonly isArchived: boolean };
  readonly onNew: () => void;
  readonly onClear: () => void;
};

function Rows({ data, variables, onNew, onClear }: RowsProps) {
  const pages = usePages(data.templates, TEMPLATE_LIST, variables, ({ templates }) => templates);
  const underWay = useUnderWay();
  if (pages.nodes.length === 0)
    return (
      <Card>
        <NoTemplates {...variables} onNew={onNew} onClear={onClear} />
      </Card>
    );
  return (
    <Card isFlush>
      <Table
        label="Templates"
        rows={pages.nodes}
        keyOf={({ id }) => id}
        columns={columnsOf(underWay)}
      />
      <MoreButton page={pages.page} isLoading={pages.isLoading} onMore={pages.showMore} />
    </Card>
  );
}

type NoTemplatesProps = Omit<RowsProps, 'data' | 'variables'> & RowsProps['variables'];

function NoTemplates({ search, isArchived, onNew, onClear }: NoTemplatesProps) {
  if (search !== undefined)
    return (
      <Empty title={`No templates match “${search}”`} icon={IconSearch}>
        <Anchor component="button" type="button" onClick={onClear}>
          Show all
        </Anchor>
      </Empty>
    );
  if (isArchived) return <Empty title="No archived templates" icon={IconTemplate} />;
  return (
    <Empty title="No templates yet" icon={IconTemplate}>
      Start from a ready-made template or from scratch.
      <br />
      <Button mt="md" onClick={onNew}>
        New template
      </Button>
    </Empty>
  );
}
