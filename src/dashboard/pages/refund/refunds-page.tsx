import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
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
  const read = useRead(refundsQuery, { filter, ...cursor.variables });
  useLive(refundsUpdated, {}, read.refresh);
  const made = useExport();
  return (
    <>
      <PageHeader title="Refunds" text="Money that goes back to customers.">
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
                <Empty title={isFiltered ? 'No refund matches' : 'No refunds yet'}>
                  {isFiltered ? (
                    'Choose another status, or clear the e-mail and the charge.'
                  ) : (
                    <>
                      Open a completed <Link to="/charges?status=completed">charge</Link> to give money back.
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
