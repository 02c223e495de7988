import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Facts } from '../../../pieces/Facts.tsx';
import { inExactMoment } from '../../../pieces/in-words.ts';
import { Table } from '../../../pieces/Table.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { CONTACT, type Entry } from './audit-query.ts';
import { changesOf, nameOf } from './audit-words.ts';

/** All of one change: who, when, what, and the values before and after. */
export function EntryDetails({ entry }: { readonly entry: Entry }) {
  const { actorId, createdAt, requestId } = entry;
  const changes = changesOf(entry);
  return (
    <Stack>
      <Facts
        facts={[
          ['Object', <Subject key="subject" entry={entry} />],
          ['Actor', actorId],
          ['Time', inExactMoment(createdAt)],
          [
            'Request ID',
            <span key="request" className="mono">
              {requestId}
            </span>,
          ],
        ]}
      />
      {changes.length > 0 && (
        <Table
          label="Changes"
          rows={changes}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Field', cell: ({ name }) => <Text size="sm">{name}</Text> },
            { title: 'Before', cell: ({ before }) => <Value text={before} /> },
            { title: 'After', cell: ({ after }) => <Value text={after} /> },
          ]}
        />
      )}
    </Stack>
  );
}

function Value({ text }: { readonly text: string }) {
  if (text === '')
    return (
      <Text size="sm" c="dimmed">
        –
      </Text>
    );
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

const PATHS: Readonly<Record<string, string>> = {
  campaign: '/campaigns/',
  template: '/templates/',
  webhook_endpoint: '/webhooks/endpoints/',
};

/** A link where the object has a page, which may have been deleted since. */
function Subject({ entry }: { readonly entry: Entry }) {
  const { subjectType, subjectId } = entry;
  if (subjectType === 'contact') return <Contact id={subjectId} />;
  const path = PATHS[subjectType];
  const name = nameOf(entry) ?? subjectId;
  if (path === undefined) return name;
  return (
    <Anchor component={Link} href={path + subjectId} inherit>
      {name}
    </Anchor>
  );
}

function Contact({ id }: { readonly id: string }) {
  const [{ data, fetching }] = useQuery({ query: CONTACT, variables: { id } });
  if (data === undefined) return fetching ? '…' : id;
  return data.contact ? <UserLink userId={data.contact.userId} /> : 'An erased contact';
}
