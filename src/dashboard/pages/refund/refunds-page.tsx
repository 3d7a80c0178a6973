import { useQuery } from 'urql';
import { useLive } from '../../graphql/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { RefundFilterBar, useRefundFilter } from './refund-filter.tsx';
import { refundsUpdated } from './refund-row.ts';
import { RefundTable } from './refund-table.tsx';
import { refundsQuery } from './refunds-query.ts';

/** All refunds, newest first. The page that is shown is read again whenever a refund changes. */
export default function RefundsPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useRefundFilter();
  const variables = { filter, ...cursor.variables };
  const [{ data, error }, reload] = useQuery({ query: refundsQuery, variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useLive(refundsUpdated, {}, refresh);
  const made = useExport();
  return (
    <>
      <PageHeader title="Refunds" text="Money that goes back to customers.">
        <ExportButton of={made} input={{ kind: 'refunds', refundFilter: filter }} />
      </PageHeader>
      <ExportProgress {...made} />
      <RefundFilterBar />
      <Section title={isFiltered ? 'Matching refunds' : 'All refunds'} flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={8}>
          {({ refunds: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 && <RefundTable refunds={nodes} />}
              {nodes.length === 0 && (
                <Empty title={isFiltered ? 'No refund matches' : 'No refunds yet'}>
                  {isFiltered ? (
                    'Choose another status, or clear the e-mail and the charge.'
                  ) : (
                    <>
                      Open a completed <Link to="/charges?status=completed">charge</Link> to give money back.
                    </>
                  )}
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
