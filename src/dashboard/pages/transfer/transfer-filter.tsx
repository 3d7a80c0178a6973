import type { VariablesOf } from '../../graphql/graphql.ts';
import { FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../parts/use-filter.ts';
import { transferReasons } from './transfer-reasons.ts';
import type { transfersQuery } from './transfers-query.ts';

type Filter = NonNullable<VariablesOf<typeof transfersQuery>['filter']>;
type Status = NonNullable<Filter['status']>[number];

const statuses: { value: Status; label: string }[] = [
  { value: 'exception', label: 'Waiting for you' },
  { value: 'matched', label: 'Matched' },
  { value: 'partial', label: 'Part of a charge' },
  { value: 'over', label: 'More than asked' },
  { value: 'returned', label: 'Sent back' },
  { value: 'duplicate', label: 'Known already' },
  { value: 'outgoing', label: 'Went out' },
];

/** The filter in the page's address, as the API takes it. */
export function useTransferFilter(): { filter: Filter; isFiltered: boolean } {
  const { read } = useFilter();
  return filterOf<Filter>({
    status: onlyOne(choiceOf(read('status'), statuses)),
    reason: onlyOne(choiceOf(read('reason'), transferReasons)),
    search: read('search'),
  });
}

export function TransferFilterBar() {
  return (
    <FilterBar>
      <FilterChoice name="status" label="Status" choices={statuses} />
      <FilterChoice
        name="reason"
        label="Why it waits"
        placeholder="Any reason"
        choices={transferReasons}
        comboboxProps={{ width: 340, position: 'bottom-start' }}
      />
      <FilterTexts
        fields={[
          {
            name: 'search',
            label: 'Search',
            type: 'search',
            placeholder: 'Reference, payer, bank reference',
          },
        ]}
      />
    </FilterBar>
  );
}
