import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
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
  const read = useRead(transfersQuery, { filter, ...cursor.variables });
  useLive(transfersUpdated, {}, read.refresh);
  useLive(chargesUpdated, {}, read.refresh);
  const made = useExport();
  const waits = filter.status?.[0] === 'exception';
  return (
    <>
      <PageHeader title="Transfers" text="Money on your accounts, and what it counts for.">
        <ExportButton of={made} input={{ kind: 'transfers', transferFilter: filter }} />
        <RecordTransferButton onRecorded={read.refresh} />
      </PageHeader>
      <ExportProgress {...made} />
      <TransferFilterBar />
      <Section title={isFiltered ? 'Matching transfers' : 'All transfers'} flush>
        <Loaded read={read} lines={8}>
          {({ transfers }) => (
            <Paged page={transfers} cursor={cursor} empty={<Nothing isFiltered={isFiltered} waits={waits} />}>
              {(rows) => <TransferTable transfers={rows} />}
            </Paged>
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
