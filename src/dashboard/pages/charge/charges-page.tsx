import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChoice, FilterTexts } from '../../components/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../components/use-filter.ts';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { usePaymentMethods } from '../payment-methods.ts';
import { chargeRow, chargesUpdated } from './charge-row.ts';
import { ChargeTable } from './charge-table.tsx';

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
                <Empty title={isFiltered ? 'No charges found' : 'No charges yet'}>
                  {isFiltered ? 'Try different filters.' : 'New charges will appear here.'}
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

type Filter = NonNullable<VariablesOf<typeof chargesQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'completed', label: 'Completed' },
  { value: 'expired', label: 'Expired' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** The filter in the page's address, as the API takes it. */
function useChargeFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    method: read('method') as NonNullable<Filter['method']> | null,
    search: read('search'),
  });
}

function ChargeFilterBar() {
  const methods = usePaymentMethods();
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <FilterChoice
        name="method"
        label="Method"
        choices={methods.map(({ method, name }) => ({ value: method, label: name }))}
        searchable
      />
      <FilterTexts
        fields={[
          { name: 'search', label: 'Search', type: 'search', placeholder: 'Email, order or reference' },
        ]}
      />
    </FilterBar>
  );
}

/** One page of the list. */
const chargesQuery = graphql(
  `
    query Charges($filter: ChargeFilter, $first: Int, $after: String, $last: Int, $before: String) {
      charges(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...ChargeRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [chargeRow, pageInfoFields],
);
