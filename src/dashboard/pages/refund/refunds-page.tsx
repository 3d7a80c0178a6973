import { Amount } from '../../components/amount.tsx';
import { madeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { emailFilterField, FilterBar, FilterChoice, FilterTexts } from '../../components/filter-bar.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../components/use-filter.ts';
import { payerText } from '../../format/payer.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { useMethodName } from '../payment-methods.ts';
import { type RefundRow, refundRow, refundsUpdated } from './refund-row.ts';

/** All refunds, newest first. The page that is shown is read again whenever a refund changes. */
export default function RefundsPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useRefundFilter();
  const read = useRead(refundsQuery, { filter, ...cursor.variables });
  useLive(refundsUpdated, {}, read.refresh);
  const made = useExport();
  return (
    <>
      <PageHeader title="Refunds" text="Money returned to customers.">
        <ExportButton of={made} input={{ kind: 'refunds', refundFilter: filter }} />
      </PageHeader>
      <ExportProgress {...made} />
      <RefundFilterBar />
      <Section title={isFiltered ? 'Matching refunds' : 'All refunds'} flush>
        <Loaded read={read} lines={8}>
          {({ refunds }) => (
            <Paged
              page={refunds}
              cursor={cursor}
              empty={
                <Empty title={isFiltered ? 'No refunds found' : 'No refunds yet'}>
                  {isFiltered ? (
                    'Try different filters.'
                  ) : (
                    <>
                      Open a completed <Link to="/charges?status=completed">charge</Link> to create a refund.
                    </>
                  )}
                </Empty>
              }
            >
              {(rows) => <RefundTable refunds={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

type Filter = NonNullable<VariablesOf<typeof refundsQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'initiated', label: 'Awaiting details' },
  { value: 'processing', label: 'Ready to pay' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** The filter in the page's address, as the API takes it. */
function useRefundFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    chargeId: read('charge'),
    customerEmail: read('email'),
  });
}

function RefundFilterBar() {
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <FilterTexts
        fields={[emailFilterField, { name: 'charge', label: 'Charge', placeholder: 'ch_…', width: '8rem' }]}
      />
    </FilterBar>
  );
}

function RefundTable({ refunds }: { refunds: readonly RefundRow[] }) {
  const methodName = useMethodName();
  const columns: Column<RefundRow>[] = [
    {
      title: 'Customer',
      cell: ({ id, charge }) => (
        <Link to={`/refunds/${id}`} fw={600}>
          {payerText(charge)}
        </Link>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={`refund_${status}`} /> },
    {
      title: 'Original method',
      cell: ({ method }) => <Quiet>{methodName(method)}</Quiet>,
    },
    {
      title: 'Amount',
      end: true,
      cell: (refund) => <Amount value={refund.customerAmount} currency={refund.customerCurrency} />,
    },
    {
      title: 'Charge',
      cell: ({ charge }) => <Link to={`/charges/${charge.id}`}>View charge</Link>,
    },
    madeColumn(),
  ];
  return <DataTable label="Refunds" columns={columns} rows={refunds} />;
}

/** One page of the list. */
const refundsQuery = graphql(
  `
    query Refunds($filter: RefundFilter, $first: Int, $after: String, $last: Int, $before: String) {
      refunds(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...RefundRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [refundRow, pageInfoFields],
);
