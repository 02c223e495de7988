import { Anchor, Button, Stack, Text } from '@mantine/core';
import {
  IconBell,
  IconPlus,
  IconSearch,
  IconSpeakerphone,
  IconUserSearch,
} from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { CAMPAIGN_TYPES } from '../../../pieces/campaign-types.ts';
import { Empty } from '../../../pieces/Empty.tsx';
import { FilterBar } from '../../../pieces/filters/FilterBar.tsx';
import { FilterSelect } from '../../../pieces/filters/FilterSelect.tsx';
import { useAddressFilters } from '../../../pieces/filters/use-address-filters.ts';
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
  const { params, change } = useAddressFilters();
  const asking = askingOf(params);
  const asked = useQuery({ query: CAMPAIGNS, variables: asking });
  return (
    <Page
      title="Campaigns"
      about="In-app messages: what your apps and sites show, to whom, and how often."
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

const STATUS_OPTIONS = STATUSES.map(value => ({ value, label: inPlainWords(value) }));
const TYPE_OPTIONS = CAMPAIGN_TYPES.map(value => ({ value, label: inPlainWords(value) }));

type FiltersProps = {
  readonly asking: Asking;
  readonly onChange: (name: string, value: string) => void;
};

function Filters({ asking, onChange }: FiltersProps) {
  return (
    <FilterBar
      label="Search by name"
      search={asking.search ?? ''}
      onSearch={text => onChange('search', text)}
    >
      <FilterSelect
        label="Status"
        all="Any status"
        options={STATUS_OPTIONS}
        value={asking.status}
        onChange={value => onChange('status', value)}
      />
      <FilterSelect
        label="Type"
        all="Any type"
        options={TYPE_OPTIONS}
        value={asking.type}
        onChange={value => onChange('type', value)}
      />
    </FilterBar>
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
        A new campaign is a draft. Nobody sees it until you launch it.
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
