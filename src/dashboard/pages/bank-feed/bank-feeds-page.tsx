import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { type BankFeedDetails, bankFeedsQuery } from './bank-feeds-query.ts';
import { feedKindTexts, feedRefreshMs } from './feed-texts.ts';
import { NewFeedDialog } from './new-feed-dialog.tsx';
import { ReportingWays } from './reporting-ways.tsx';

const columns: TableColumn<BankFeedDetails>[] = [
  { title: t.common.name, cell: ({ id, name }) => <Link to={`/bank-feeds/${id}`}>{name}</Link> },
  { title: t.common.status, cell: ({ status }) => <StatusBadge status={`feed_${status}`} /> },
  { title: t.bankFeed.sender, cell: ({ kind }) => feedKindTexts[kind] },
  {
    title: t.bankFeed.lastDelivery,
    isEndAligned: true,
    cell: ({ lastSuccessAt }) => (
      <Muted>{lastSuccessAt === null ? t.bankFeed.noneYet : <Moment at={lastSuccessAt} />}</Muted>
    ),
  },
];

export default function BankFeedsPage() {
  const cursor = useCursor();
  const canManage = useHasPermission('manage');
  const [isCreating, dialog] = useDisclosure();
  const query = useCachedQuery(bankFeedsQuery, cursor.variables);
  useInterval(feedRefreshMs, query.refresh);
  return (
    <>
      <PageHeader title={t.common.bankFeeds} text={t.bankFeed.banksAndProvidersThat}>
        {canManage && <Button onClick={dialog.open}>{t.bankFeed.newBankFeed}</Button>}
      </PageHeader>
      <NewFeedDialog
        country={query.data?.me.country ?? null}
        opened={isCreating}
        onClose={dialog.close}
        onCreated={query.refresh}
      />
      <Stack gap="lg">
        <Section title={t.bankFeed.allBankFeeds} isFlush>
          <Loaded query={query} lines={4}>
            {({ bankFeeds }) => (
              <Paged
                page={bankFeeds}
                cursor={cursor}
                empty={<EmptyState title={t.bankFeed.noBankFeedsYet} />}
              >
                {(rows) => <DataTable label={t.common.bankFeeds} columns={columns} rows={rows} />}
              </Paged>
            )}
          </Loaded>
        </Section>
        <ReportingWays />
      </Stack>
    </>
  );
}
