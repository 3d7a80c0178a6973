import { Select } from '@mantine/core';
import { t } from '../../language/texts.ts';
import { useAccountNames } from './use-account-names.ts';

/**
 * Selects the receiving account that is the same bank account. Offers the other active accounts in the currency, and
 * the selected one. Shows nothing if there are none.
 */
export function SameBankAccountSelect(props: {
  currency: string;
  ownId?: string;
  value: string | null;
  onChange: (id: string | null) => void;
  error: string | undefined;
}) {
  const { currency, ownId, value, onChange, error } = props;
  const names = useAccountNames();
  const choices = names.data?.filter(
    (account) =>
      account.value !== ownId &&
      account.currency === currency &&
      (account.isActive || account.value === value),
  );
  if (!choices || choices.length === 0) return null;
  return (
    <Select
      label={t.receivingAccount.sameBankAccountAs}
      description={t.receivingAccount.chooseAnAccountIf}
      placeholder={t.common.none}
      data={choices}
      value={value}
      onChange={onChange}
      error={error}
      clearable
      searchable
      comboboxProps={{ withinPortal: false }}
    />
  );
}
