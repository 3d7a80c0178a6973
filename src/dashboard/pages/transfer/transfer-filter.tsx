import type { VariablesOf } from '../../graphql/graphql.ts';
import { FilterBar, FilterChoice, FilterTexts } from '../../parts/filter-bar.tsx';
import { longChoice } from '../../parts/long-choice.ts';
import { choiceOf, filterOf, onlyOne, useFilter } from '../../parts/use-filter.ts';
import { useAccountNames } from '../receiving-account/account-names.ts';
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
    receivingAccountId: read('account'),
    search: read('search'),
  });
}

export function TransferFilterBar() {
  const { read } = useFilter();
  const { data: accounts = [] } = useAccountNames();
  const chosen = read('account');
  const isNamed = chosen === null || accounts.some(({ value }) => value === chosen);
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
      <FilterChoice
        name="account"
        label="Account"
        choices={isNamed ? accounts : [{ value: chosen, label: 'One account' }, ...accounts]}
        comboboxProps={{ width: 340, position: 'bottom-start' }}
        {...(accounts.length > 8 && longChoice)}
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
