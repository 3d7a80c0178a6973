import type { VariablesOf } from '../../graphql/graphql.ts';
import { FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { choiceOf, useFilter } from '../../parts/use-filter.ts';
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
  const status = choiceOf(read('status'), statuses);
  const chargeId = read('charge');
  const customerEmail = read('email');
  const filter = {
    ...(status && { status: [status] }),
    ...(chargeId && { chargeId }),
    ...(customerEmail && { customerEmail }),
  };
  return { filter, isFiltered: Object.keys(filter).length > 0 };
}

export function RefundFilterBar() {
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <FilterTexts
        fields={[
          {
            name: 'email',
            label: 'E-mail',
            type: 'search',
            inputMode: 'email',
            placeholder: 'The whole address',
          },
          { name: 'charge', label: 'Charge', placeholder: 'ch_…', width: '8rem' },
        ]}
      />
    </FilterBar>
  );
}
