import { Group } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DemoBadge } from '../../parts/demo-badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useMethodName } from '../payment-methods.ts';

const receivingAccountsQuery = graphql(`
  query ReceivingAccounts($first: Int, $after: String, $last: Int, $before: String) {
    receivingAccounts(first: $first, after: $after, last: $last, before: $before) {
      nodes {
        id
        method
        status
        account
        holder
        bank
        currency
        demo
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`);

type AccountRow = ResultOf<typeof receivingAccountsQuery>['receivingAccounts']['nodes'][number];

/** Where the merchant's customers pay to. */
export default function ReceivingAccountsPage() {
  const cursor = useCursor();
  const methodName = useMethodName();
  const [{ data, error }, reload] = useQuery({ query: receivingAccountsQuery, variables: cursor.variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  const columns: Column<AccountRow>[] = [
    {
      title: 'Method',
      cell: ({ method, demo }) => (
        <Group gap="xs" wrap="nowrap">
          <strong>{methodName(method)}</strong>
          {demo && <DemoBadge />}
        </Group>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Account', cell: ({ account }) => <CopyText text={account} what="account" /> },
    { title: 'Currency', cell: ({ currency }) => currency },
    { title: 'Holder', cell: ({ holder }) => holder },
    { title: 'Bank', end: true, cell: ({ bank }) => bank },
  ];
  return (
    <>
      <PageHeader
        title="Receiving accounts"
        text="The bank accounts and wallets that your customers pay to."
      />
      <Section title="All accounts" flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={6}>
          {({ receivingAccounts: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 ? (
                <DataTable label="Receiving accounts" columns={columns} rows={nodes} />
              ) : (
                <Empty title="No accounts yet">Without one, customers have nowhere to pay to.</Empty>
              )}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
