import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import {
  IconBell,
  IconPlus,
  IconSearch,
  IconSpeakerphone,
  IconUserSearch,
} from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { CAMPAIGN_TYPES } from '../../../pieces/campaign-types.ts';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { State } from '../../../pieces/State.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { When } from '../../../pieces/When.tsx';
import { AudienceWords } from '../AudienceWords.tsx';
import { STATUS_TONES, STATUSES } from '../campaign-words.ts';

const CAMPAIGNS = graphql(`
  query Campaigns($search: String, $status: CampaignStatus, $type: CampaignType, $after: String) {
    campaigns(first: 50, search: $search, status: $status, type: $type, after: $after) {
      nodes { id name type status surfaces audience priority startsAt endsAt updatedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Listed = ResultOf<typeof CAMPAIGNS>['campaigns']['nodes'][number];
type Asking = Omit<VariablesOf<typeof CAMPAIGNS>, 'after'>;

export function CampaignList() {
  const [params, setParams] = useSearchParams();
  const asking = askingOf(params);
  const asked = useQuery({ query: CAMPAIGNS, variables: asking });
  const change = (name: string, value: string) =>
    setParams(
      before => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <Page
      title="Campaigns"
      about="What people are shown in your apps and sites, whom, and how often."
      actions={<ListActions />}
    >
      <Card isFlush>
        <Filters asking={asking} onChange={change} />
        <Asked asked={asked} label="Reading the campaigns">
          {data => <Listing data={data} asking={asking} />}
        </Asked>
      </Card>
    </Page>
  );
}

function ListActions() {
  return (
    <>
      <Button
        component={Link}
        href="/campaigns/push"
        variant="default"
        leftSection={<IconBell size={17} />}
      >
        Push results
      </Button>
      <Button
        component={Link}
        href="/campaigns/preview"
        variant="default"
        leftSection={<IconUserSearch size={17} />}
      >
        Who sees what
      </Button>
      <Button component={Link} href="/campaigns/new" leftSection={<IconPlus size={17} />}>
        New campaign
      </Button>
    </>
  );
}

/** The URL can contain any text; an unknown status is ignored. */
function askingOf(params: URLSearchParams): Asking {
  const search = params.get('search') ?? '';
  const status = STATUSES.find(one => one === params.get('status'));
  const type = CAMPAIGN_TYPES.find(one => one === params.get('type'));
  return { ...(search !== '' && { search }), ...(status && { status }), ...(type && { type }) };
}

const TYPING_MS = 300;

type FiltersProps = {
  readonly asking: Asking;
  readonly onChange: (name: string, value: string) => void;
};

function Filters({ asking, onChange }: FiltersProps) {
  const searchSoon = useDebouncedCallback((text: string) => onChange('search', text), TYPING_MS);
  return (
    <Group component="search" gap="sm" p="lg" pb="md" aria-label="Filters">
      <TextInput
        aria-label="Search by name"
        placeholder="Search by name"
        leftSection={<IconSearch size={16} aria-hidden />}
        defaultValue={asking.search ?? ''}
        onChange={({ currentTarget }) => searchSoon(currentTarget.value.trim())}
        flex="1 1 220px"
      />
      <Choice
        label="Status"
        all="Any status"
        values={STATUSES}
        value={asking.status}
        onChange={value => onChange('status', value)}
      />
      <Choice
        label="Type"
        all="Any type"
        values={CAMPAIGN_TYPES}
        value={asking.type}
        onChange={value => onChange('type', value)}
      />
    </Group>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly all: string;
  readonly values: readonly string[];
  readonly value: string | null | undefined;
  readonly onChange: (value: string) => void;
};

function Choice({ label, all, values, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      data={[
        { value: '', label: all },
        ...values.map(one => ({ value: one, label: inPlainWords(one) })),
      ]}
      value={value ?? ''}
      onChange={chosen => onChange(chosen ?? '')}
      allowDeselect={false}
      flex="1 1 130px"
      maw={{ sm: 180 }}
    />
  );
}

type ListingProps = { readonly data: ResultOf<typeof CAMPAIGNS>; readonly asking: Asking };

function Listing({ data, asking }: ListingProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.campaigns,
    CAMPAIGNS,
    asking,
    of => of.campaigns,
  );
  if (nodes.length === 0)
    return Object.keys(asking).length > 0 ? (
      <Empty title="No campaign like that" icon={IconSearch}>
        Another name or status may find one.
      </Empty>
    ) : (
      <Empty title="No campaign yet" icon={IconSpeakerphone}>
        A new one is a draft: nobody is shown it before it is launched.
        <br />
        <Button component={Link} href="/campaigns/new" mt="md">
          Create your first campaign
        </Button>
      </Empty>
    );
  return (
    <>
      <Table label="Campaigns" rows={nodes} keyOf={one => one.id} columns={COLUMNS} />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: 'Campaign',
    cell: ({ id, name, type }) => (
      <Stack gap={2}>
        <Anchor component={Link} href={`/campaigns/${id}`} fw={600} size="sm">
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {inPlainWords(type)}
        </Text>
      </Stack>
    ),
  },
  {
    title: 'Status',
    cell: ({ status }) => <State name={status} tone={STATUS_TONES[status]} />,
  },
  {
    title: 'For',
    isWide: true,
    cell: ({ audience }) => (
      <Text size="sm" maw={260} lineClamp={2}>
        <AudienceWords audience={audience} />
      </Text>
    ),
  },
  {
    title: 'Where',
    isWide: true,
    cell: ({ surfaces }) => (surfaces.length === 0 ? 'Everywhere' : surfaces.join(', ')),
  },
  { title: 'Priority', isNumber: true, isWide: true, cell: ({ priority }) => priority },
  { title: 'Ends', isWide: true, cell: ({ endsAt }) => <When at={endsAt} never="Never" /> },
  { title: 'Changed', cell: ({ updatedAt }) => <When at={updatedAt} isRelative /> },
];
