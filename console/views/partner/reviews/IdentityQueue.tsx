import { Group, Text } from '@mantine/core';
import { IconIdBadge2 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { IdentityVerdicts } from './IdentityVerdicts.tsx';
import { IDENTITIES, type Submission } from './identities-query.ts';
import { IDENTITY_COLUMNS, IDENTITY_STATUS_OPTIONS } from './identity-columns.tsx';
import { Queue } from './Queue.tsx';
import { queueTitle } from './queue-title.ts';
import { StatusSelect } from './StatusSelect.tsx';

type Status = Submission['status'];

type IdentityQueueProps = { readonly next: ReactNode };

export function IdentityQueue({ next }: IdentityQueueProps) {
  const [status, setStatus] = useState<Status | null>('KYC_PENDING');
  return (
    <Card
      title={queueTitle('Identity submissions', IDENTITY_STATUS_OPTIONS, status)}
      isFlush
      actions={
        <StatusSelect options={IDENTITY_STATUS_OPTIONS} value={status} onChange={setStatus} />
      }
    >
      <Text size="sm" c="dimmed" px="lg" pb="sm">
        A submission has a name, a PAN and a bank account, all shown here, and no documents. Numbers
        are masked. Below each name you see whether another organization submitted the same numbers.
      </Text>
      <Queue
        // A query keeps its rows while it loads those of another state.
        key={status}
        label="Submissions"
        document={IDENTITIES}
        variables={{ status }}
        connectionOf={data => data.kycSubmissions}
        typename="KycSubmission"
        columns={COLUMNS}
        bulk={BULK}
        empty={
          status === 'KYC_PENDING' ? (
            <Empty title="No submissions to review" icon={IconIdBadge2}>
              Submissions from partners appear here for review.
              {next}
            </Empty>
          ) : (
            <Empty title="No submissions in this state" icon={IconIdBadge2}>
              Select another state.
            </Empty>
          )
        }
      />
    </Card>
  );
}

const BULK = { nameOf: ({ fullName }: Submission) => fullName, Actions: IdentityVerdicts };

/** Of one submission, which nobody has to select. */
const ACTIONS: Column<Submission> = {
  title: 'Actions',
  isWide: true,
  cell: submission =>
    submission.status === 'KYC_PENDING' && (
      <Group gap={4}>
        <IdentityVerdicts rows={[submission]} isInRow onDone={() => {}} />
      </Group>
    ),
};

const COLUMNS = [...IDENTITY_COLUMNS, ACTIONS];
