import { Button, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileCertificate } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inDay } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useDownload } from '../../../pieces/use-download.ts';
import { usePages } from '../../../pieces/use-pages.ts';

const STATEMENTS = graphql(`
  query PartnerTaxStatements($after: String) {
    taxCertificates(first: 12, after: $after) {
      nodes {
        id financialYear quarter form periodStart periodEnd downloadPath
        gross { amount currencyCode }
        tax { amount currencyCode }
        net { amount currencyCode }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Statements = ResultOf<typeof STATEMENTS>;
type Statement = Statements['taxCertificates']['nodes'][number];

export function TaxStatements() {
  const asked = useQuery({ query: STATEMENTS, variables: {} });
  return (
    <Card title="Tax statements" isFlush>
      <Asked asked={asked} label="Loading tax statements">
        {data => <Rows data={data} />}
      </Asked>
    </Card>
  );
}

function Rows({ data }: { readonly data: Statements }) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.taxCertificates,
    STATEMENTS,
    {},
    of => of.taxCertificates,
  );
  const { save, saving } = useDownload();
  if (nodes.length === 0)
    return (
      <Empty title="No statements yet" icon={IconFileCertificate}>
        After each quarter of the Indian financial year with payouts, you can download a statement
        of the deducted tax here.
      </Empty>
    );
  const download: Column<Statement> = {
    title: 'Download',
    cell: ({ downloadPath, financialYear, quarter, form }) => (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={15} />}
        loading={saving === downloadPath}
        aria-label={`Download the PDF of quarter ${quarter} of ${financialYear}`}
        onClick={() => void save(downloadPath, `${form} ${financialYear} Q${quarter}.pdf`)}
      >
        PDF
      </Button>
    ),
  };
  return (
    <>
      <Table
        label="Tax statements"
        rows={nodes}
        keyOf={({ id }) => id}
        columns={[...COLUMNS, download]}
      />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

const COLUMNS: readonly Column<Statement>[] = [
  {
    title: 'Quarter',
    cell: ({ financialYear, quarter, periodStart, periodEnd }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          Quarter {quarter} of {financialYear}
        </Text>
        <Text size="xs" c="dimmed">
          {inDay(periodStart)} to {inDay(periodEnd)}
        </Text>
      </Stack>
    ),
  },
  { title: 'Form', isWide: true, cell: ({ form }) => form },
  { title: 'Paid out', isNumber: true, isWide: true, cell: ({ gross }) => <Money of={gross} /> },
  { title: 'Deducted', isNumber: true, cell: ({ tax }) => <Money of={tax} fw={600} /> },
  { title: 'Net', isNumber: true, isWide: true, cell: ({ net }) => <Money of={net} /> },
];
