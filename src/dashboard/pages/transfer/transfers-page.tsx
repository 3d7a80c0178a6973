import { useQuery } from 'urql';
import { useLive } from '../../graphql/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { RecordTransferButton } from './record-transfer.tsx';
import { TransferFilterBar, useTransferFilter } from './transfer-filter.tsx';
import { transfersUpdated } from './transfer-row.ts';
import { TransferTable } from './transfer-table.tsx';
import { transfersQuery } from './transfers-query.ts';

/** All money that came, newest first; that which waits for a decision is one choice away. */
export default function TransfersPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useTransferFilter();
  const variables = { filter, ...cursor.variables };
  const [{ data, error }, reload] = useQuery({ query: transfersQuery, variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useLive(transfersUpdated, {}, refresh);
  const made = useExport();
  useLive(chargesUpdated, {}, refresh);
  const waits = filter.status?.[0] === 'exception';
  return (
    <>
      <PageHeader title="Transfers" text="Money on your accounts, and what it counts for.">
        <ExportButton of={made} input={{ kind: 'transfers', transferFilter: filter }} />
        <RecordTransferButton onRecorded={refresh} />
      </PageHeader>
      <ExportProgress {...made} />
      <TransferFilterBar />
      <Section title={isFiltered ? 'Matching transfers' : 'All transfers'} flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={8}>
          {({ transfers: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 && <TransferTable transfers={nodes} />}
              {nodes.length === 0 && <Nothing isFiltered={isFiltered} waits={waits} />}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function Nothing({ isFiltered, waits }: { isFiltered: boolean; waits: boolean }) {
  if (waits) return <Empty title="Nothing waits for you">All money that came counts for something.</Empty>;
  if (isFiltered) return <Empty title="No transfer matches">Choose another status or other words.</Empty>;
  return (
    <Empty title="No money has come yet">
      Connect your bank’s feed to POST /transfers, or upload its statements. A single transfer can be recorded
      by hand.
    </Empty>
  );
}
