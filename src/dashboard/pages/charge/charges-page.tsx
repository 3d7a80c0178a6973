import { useQuery } from 'urql';
import { useLive } from '../../graphql/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
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
  const variables = { filter, ...cursor.variables };
  const [{ data, error }, reload] = useQuery({ query: chargesQuery, variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useLive(chargesUpdated, {}, refresh);
  const made = useExport();
  return (
    <>
      <PageHeader title="Charges">
        <ExportButton of={made} input={{ kind: 'charges', chargeFilter: filter }} />
      </PageHeader>
      <ExportProgress {...made} />
      <ChargeFilterBar />
      <Section title={isFiltered ? 'Matching charges' : 'All charges'} flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={8}>
          {({ charges: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 && <ChargeTable label="Charges" charges={nodes} />}
              {nodes.length === 0 && (
                <Empty title={isFiltered ? 'No charge matches' : 'No charges yet'}>
                  {isFiltered
                    ? 'Choose another status or method, or clear the search.'
                    : 'They show here as they are made.'}
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
