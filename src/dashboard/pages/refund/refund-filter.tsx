import type { VariablesOf } from '../../graphql/graphql.ts';
import { emailFilterField, FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../parts/use-filter.ts';
import type { refundsQuery } from './refunds-query.ts';

type Filter = NonNullable<VariablesOf<typeof refundsQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'initiated', label: 'Asking the customer' },
  { value: 'processing', label: 'To be paid' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Withdrawn' },
];

/** The filter in the page's address, as the API takes it. */
export function useRefundFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    chargeId: read('charge'),
    customerEmail: read('email'),
  });
}

export function RefundFilterBar() {
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <FilterTexts
        fields={[emailFilterField, { name: 'charge', label: 'Charge', placeholder: 'ch_…', width: '8rem' }]}
      />
    </FilterBar>
  );
}
