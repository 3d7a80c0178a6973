import { useEffect } from 'react';
import { useQuery } from 'urql';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { madeColumn } from '../../parts/columns.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar, FilterChoice } from '../../parts/filter-bar.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { choiceOf, useFilter } from '../../parts/use-filter.ts';
import { kindText, type MessageRow, messagesQuery } from './message-query.ts';

/** Messages have no live field: what is new is looked for this often. */
const refreshMs = 5_000;

type Filter = NonNullable<VariablesOf<typeof messagesQuery>['filter']>;

const channels: { value: NonNullable<Filter['channel']>; label: string }[] = [
  { value: 'email', label: 'E-mail' },
  { value: 'sms', label: 'SMS' },
];
const statuses: { value: NonNullable<Filter['status']>; label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'sent', label: 'Sent' },
  { value: 'mailbox', label: 'Kept here' },
  { value: 'failed', label: 'Failed' },
];

const columns: Column<MessageRow>[] = [
  {
    title: 'Message',
    cell: ({ id, subject, kind }) => (
      <Link to={`/mailbox/${id}`} fw={600}>
        {subject ?? kindText(kind)}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'To', cell: ({ to }) => to },
  madeColumn(),
];

function useMessageFilter(): Filter {
  const { read } = useFilter();
  const channel = choiceOf(read('channel'), channels);
  const status = choiceOf(read('status'), statuses);
  return { ...(channel && { channel }), ...(status && { status }) };
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
      <FilterBar>
        <FilterChoice name="channel" label="Channel" choices={channels} />
        <FilterChoice name="status" label="Status" choices={statuses} />
      </FilterBar>
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
