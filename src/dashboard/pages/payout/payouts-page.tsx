import { Button, SegmentedControl } from '@mantine/core';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { choiceOf, useFilter } from '../../parts/use-filter.ts';
import { useMay } from '../../viewer.ts';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { refundsUpdated } from '../refund/refund-row.ts';
import { ExportPayoutsButton } from './export-payouts.tsx';
import { PayoutTable } from './payout-table.tsx';
import { type PayoutRow, payoutsQuery } from './payouts-query.ts';
import { usePicked } from './use-picked.ts';

const shown = [
  { value: '', label: 'All' },
  { value: 'new', label: 'In no file yet' },
  { value: 'exported', label: 'Exported' },
];

/** Refunds whose money is to be sent: by hand, or with a file for the bank. */
export default function PayoutsPage() {
  const cursor = useCursor();
  const narrowing = useFilter();
  const file = choiceOf(narrowing.read('file'), shown) ?? '';
  const filter = file === '' ? {} : { exported: file === 'exported' };
  const mayPay = useMay('transfers');
  const variables = { filter, mayRefund: useMay('refund'), ...cursor.variables };
  const read = useRead(payoutsQuery, variables);
  useLive(refundsUpdated, {}, read.refresh);
  const { start, ...made } = useExport();
  const { chosen, choose, clear } = usePicked(read.data?.refundPayouts.nodes);
  const paid = (refund: PayoutRow) => {
    choose(refund, false);
    read.refresh();
  };
  return (
    <>
      <PageHeader
        title="To pay"
        text="Refunds of which the customer has told where the money goes. Send each with its reference."
      >
        {mayPay && (
          <ExportPayoutsButton
            chosen={chosen.map(({ id }) => id)}
            isRepeat={chosen.some(({ payoutExportedAt }) => payoutExportedAt !== null)}
            onStart={async (input) => {
              const refused = await start(input);
              if (refused === undefined) clear();
              read.refresh();
              return refused;
            }}
          />
        )}
      </PageHeader>
      <ExportProgress {...made} refusal={undefined} />
      <SegmentedControl
        data={shown}
        value={file}
        onChange={(value) => narrowing.choose({ file: value })}
        mb="lg"
        aria-label="Which refunds"
      />
      <Section
        title={chosen.length > 0 ? `${chosen.length} chosen` : 'Refunds to pay'}
        aside={
          chosen.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={clear}>
              Choose none
            </Button>
          )
        }
        flush
      >
        <Loaded read={read} lines={6}>
          {({ refundPayouts }) => (
            <Paged
              page={refundPayouts}
              cursor={cursor}
              empty={
                <Empty title={file === '' ? 'Nothing to pay' : 'None of these'}>
                  Refunds show here once their customers have told where the money goes. See{' '}
                  <Link to="/refunds?status=initiated">those that are being asked</Link>.
                </Empty>
              }
            >
              {(rows) => (
                <PayoutTable
                  rows={rows}
                  chosen={new Set(chosen.map(({ id }) => id))}
                  onChoose={choose}
                  onPaid={paid}
                />
              )}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
