import { Group, Select, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { kindText, type MessageRow, messagesQuery } from './message-query.ts';

/** Messages have no live field: what is new is looked for this often. */
const refreshMs = 5_000;

const channels = [
  { value: 'email', label: 'E-mail' },
  { value: 'sms', label: 'SMS' },
];
const statuses = [
  { value: 'pending', label: 'Pending' },
  { value: 'sent', label: 'Sent' },
  { value: 'mailbox', label: 'Kept here' },
  { value: 'failed', label: 'Failed' },
];

const columns: Column<MessageRow>[] = [
  {
    title: 'Message',
    cell: ({ id, subject, kind }) => <Link to={`/mailbox/${id}`}>{subject ?? kindText(kind)}</Link>,
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'To', cell: ({ to }) => to },
  {
    title: 'Made',
    end: true,
    cell: ({ createdAt }) => (
      <Text size="sm" c="var(--causeway-muted)" span>
        <Moment at={createdAt} />
      </Text>
    ),
  },
];

type Filter = NonNullable<VariablesOf<typeof messagesQuery>['filter']>;

function useMessageFilter(): Filter {
  const [params] = useSearchParams();
  const channel = params.get('channel') as Filter['channel'];
  const status = params.get('status') as Filter['status'];
  return { ...(channel && { channel }), ...(status && { status }) };
}

function FilterBar() {
  const [params, setParams] = useSearchParams();
  const choose = (name: string, value: string | null) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      for (const key of ['after', 'before', name]) next.delete(key);
      if (value) next.set(name, value);
      return next;
    });
  const choice = (name: string, label: string, data: typeof channels) => (
    <Select
      label={label}
      placeholder="Any"
      clearable
      data={data}
      value={params.get(name)}
      onChange={(value) => choose(name, value)}
      flex="1 1 8rem"
      maw="14rem"
    />
  );
  return (
    <Group component="search" mb="md" gap="sm">
      {choice('channel', 'Channel', channels)}
      {choice('status', 'Status', statuses)}
    </Group>
  );
}

/** What was sent to customers and users, and what is kept here in place of being sent. */
export default function MessagesPage() {
  const cursor = useCursor();
  const filter = useMessageFilter();
  const variables = { filter, ...cursor.variables };
  const [{ data, error }, reload] = useQuery({ query: messagesQuery, variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload({ requestPolicy: 'network-only' });
    }, refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHeader
        title="Mailbox"
        text="E-mail and SMS of the last 90 days. What is kept here in place of being sent can be read."
      />
      <FilterBar />
      <Section title={isFiltered ? 'Matching messages' : 'All messages'} flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={6}>
          {({ messages: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 ? (
                <DataTable label="Messages" columns={columns} rows={nodes} />
              ) : (
                <Empty title={isFiltered ? 'No message matches' : 'No messages yet'}>
                  {isFiltered
                    ? 'Choose another channel or status.'
                    : 'Codes, links and invoices to your customers show here.'}
                </Empty>
              )}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
