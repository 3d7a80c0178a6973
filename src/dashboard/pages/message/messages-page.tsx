import { createdColumn } from '../../components/columns.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { findChoice, toArray, toFilter, useFilter } from '../../components/use-filter.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { formatChannel, formatMessageKind, type MessageRow, messagesQuery } from './message-query.ts';

/** Messages have no live updates, so the list is polled. */
const refreshMs = 5_000;

type MessagesFilter = NonNullable<VariablesOf<typeof messagesQuery>['filter']>;

const channels = (['email', 'sms', 'chat'] as const).map((value) => ({ value, label: formatChannel(value) }));
const statuses: { value: NonNullable<MessagesFilter['statuses']>[number]; label: string }[] = [
  { value: 'pending', label: t.common.pending },
  { value: 'sent', label: t.common.sent },
  { value: 'captured', label: t.message.notSentStoredHere },
  { value: 'failed', label: t.common.failed },
  { value: 'skipped', label: t.message.notSentSkipped },
];

const columns: TableColumn<MessageRow>[] = [
  {
    title: t.message.message,
    cell: ({ id, subject, kind }) => (
      <Link to={`/mailbox/${id}`} fw={600}>
        {subject ?? formatMessageKind(kind)}
      </Link>
    ),
  },
  { title: t.common.status, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: t.message.toRecipient, cell: ({ recipient }) => recipient },
  createdColumn(),
];

function useMessageFilter(): { filter: MessagesFilter; isFiltered: boolean } {
  const { getFilter } = useFilter();
  return toFilter<MessagesFilter>({
    channel: findChoice(getFilter('channel'), channels),
    statuses: toArray(findChoice(getFilter('status'), statuses)),
  });
}

/** The list includes messages that are stored instead of being sent. */
export default function MessagesPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useMessageFilter();
  const query = useCachedQuery(messagesQuery, { filter, ...cursor.variables });
  useInterval(refreshMs, query.refresh);
  return (
    <>
      <PageHeader title={t.message.sentMessages} text={t.message.emailsSmsAndChat} />
      <FilterBar>
        <FilterSelect name="channel" label={t.message.channel} choices={channels} />
        <FilterSelect name="status" label={t.common.status} choices={statuses} />
      </FilterBar>
      <Section title={isFiltered ? t.message.matchingMessages : t.message.allMessages} isFlush>
        <Loaded query={query} lines={6}>
          {({ outboundMessages }) => (
            <Paged
              page={outboundMessages}
              cursor={cursor}
              empty={
                <EmptyState title={isFiltered ? t.message.noMessagesFound : t.message.noMessagesYet}>
                  {isFiltered ? t.message.tryADifferentChannel : t.message.codesLinksAndInvoices}
                </EmptyState>
              }
            >
              {(rows) => <DataTable label={t.message.messages} columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
