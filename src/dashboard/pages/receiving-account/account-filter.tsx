import { FilterSelect } from '../../components/filter-bar.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { useFilter } from '../../components/use-filter.ts';
import { t } from '../../language/texts.ts';
import { useAccountNames } from './use-account-names.ts';

export function AccountFilter() {
  const { getFilter } = useFilter();
  const { data: accounts = [] } = useAccountNames();
  const selectedId = getFilter('account');
  const isListed = selectedId === null || accounts.some(({ value }) => value === selectedId);
  return (
    <FilterSelect
      name="account"
      label={t.common.account}
      choices={
        isListed ? accounts : [{ value: selectedId, label: t.receivingAccount.oneAccount }, ...accounts]
      }
      comboboxProps={{ width: 340, position: 'bottom-start' }}
      {...(accounts.length > 8 && searchableSelectProps)}
    />
  );
}
