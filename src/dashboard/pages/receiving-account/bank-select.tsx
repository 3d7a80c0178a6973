import { Select } from '@mantine/core';
import { useState } from 'react';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { t } from '../../language/texts.ts';
import type { AccountField } from './receiving-accounts-query.ts';

const otherBank = 'other';

/**
 * Users find a bank by its name or code, and the form submits both. `onOther` receives true if the user chooses a bank
 * outside of the list.
 */
export function BankSelect(props: {
  field: AccountField;
  error: string | undefined;
  onOther: (isOther: boolean) => void;
}) {
  const { field, error, onOther } = props;
  const [code, setCode] = useState<string | null>(null);
  const bank = field.banks.find((candidate) => candidate.code === code);
  const select = (value: string | null) => {
    setCode(value);
    onOther(value === otherBank);
  };
  return (
    <>
      <Select
        label={t.common.bank}
        placeholder={t.receivingAccount.chooseABank}
        {...searchableSelectProps}
        data={[
          ...field.banks.map(({ code: value, name }) => ({ value, label: `${name} (${value})` })),
          { value: otherBank, label: t.receivingAccount.anotherBank },
        ]}
        value={code}
        onChange={select}
        error={error}
        required
        withAsterisk={false}
      />
      {bank && (
        <>
          <input type="hidden" name={`details.${field.name}`} value={bank.code} />
          <input type="hidden" name="details.bank" value={bank.name} />
        </>
      )}
    </>
  );
}
