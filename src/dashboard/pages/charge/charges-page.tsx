import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { ChargeFilterBar, useChargeFilter } from './charge-filter.tsx';
import { chargesUpdated } from './charge-row.ts';
import { ChargeTable } from './charge-table.tsx';
import { chargesQuery } from './charges-query.ts';

/** All charges, newest first. The page that is shown is read again whenever a charge changes. */
export default function ChargesPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useChargeFilter();
  const read = useRead(chargesQuery, { filter, ...cursor.variables });
  useLive(chargesUpdated, {}, read.refresh);
  const made = useExport();
  return (
    <>
      <PageHeader title="Charges">
        <ExportButton of={made} input={{ kind: 'charges', chargeFilter: filter }} />
      </PageHeader>
      <ExportProgress {...made} />
      <ChargeFilterBar />
      <Section title={isFiltered ? 'Matching charges' : 'All charges'} flush>
        <Loaded read={read} lines={8}>
          {({ charges }) => (
            <Paged
              page={charges}
              cursor={cursor}
              empty={
                <Empty title={isFiltered ? 'No charge matches' : 'No charges yet'}>
                  {isFiltered
                    ? 'Choose another status or method, or clear the search.'
                    : 'They show here as they are made.'}
                </Empty>
              }
            >
              {(rows) => <ChargeTable label="Charges" charges={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
