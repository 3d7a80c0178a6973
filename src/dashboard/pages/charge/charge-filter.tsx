import type { VariablesOf } from '../../graphql/graphql.ts';
import { FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../parts/use-filter.ts';
import { usePaymentMethods } from '../payment-methods.ts';
import type { chargesQuery } from './charges-query.ts';

type Filter = NonNullable<VariablesOf<typeof chargesQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'completed', label: 'Completed' },
  { value: 'expired', label: 'Expired' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** The filter in the page's address, as the API takes it. */
export function useChargeFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    method: read('method') as NonNullable<Filter['method']> | null,
    search: read('search'),
  });
}

export function ChargeFilterBar() {
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
        fields={[{ name: 'search', label: 'Search', type: 'search', placeholder: 'E-mail, order or nonce' }]}
      />
    </FilterBar>
  );
}
