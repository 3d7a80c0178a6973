import { Alert, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { defaultXeroCodes } from '../../../domain/payouts/export/default-xero-codes.ts';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import type { createExportMutation } from '../export/export-query.ts';

type XeroSettings = NonNullable<VariablesOf<typeof createExportMutation>['input']['xero']>;
type AccountName = NonNullable<XeroSettings['accountCodes']>[number]['account'];

const accounts: { account: AccountName; label: string }[] = [
  { account: 'bank', label: t.books.clearingAccountForYour },
  { account: 'sales', label: t.books.sales },
  { account: 'customer_deposits', label: t.books.partialPayments },
  { account: 'refunds', label: t.common.refunds },
  { account: 'bank_fees', label: t.books.bankFees },
  { account: 'other_income', label: t.books.otherIncome },
  { account: 'unmatched_receipts', label: t.common.needsReview },
  { account: 'returned_receipts', label: t.books.returnedPayments },
];

/** The default codes of the accounts. The bank has none, because manual journals cannot post to bank accounts. */
const defaultCodes: Partial<Record<AccountName, string>> = defaultXeroCodes;

/** The values of the last export, which this browser keeps. */
type StoredValues = { taxRateName: string; codes: Partial<Record<AccountName, string>> };

type XeroDialogProps = {
  opened: boolean;
  currencies: readonly string[];
  onClose: () => void;
  onExport: (input: XeroSettings) => Promise<string | undefined>;
};

export function XeroDialog({ opened, currencies, onClose, onExport }: XeroDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t.books.manualJournalsForXero} size="lg">
      <XeroForm currencies={currencies} onClose={onClose} onExport={onExport} />
    </Dialog>
  );
}

function XeroForm({ currencies, onClose, onExport }: Omit<XeroDialogProps, 'opened'>) {
  const formState = useFormState();
  const [isBusy, setBusy] = useState(false);
  const [stored, setStored] = useLocalStorage<StoredValues>({
    key: 'causeway-xero-journal',
    defaultValue: { taxRateName: t.books.taxExempt, codes: {} },
    getInitialValueInEffect: false,
  });
  const submit = async (form: FormData) => {
    const taxRateName = getText(form, 'taxRateName');
    const accountCodes = accounts.map(({ account }) => ({ account, code: getText(form, account) }));
    setStored({
      taxRateName,
      codes: Object.fromEntries(accountCodes.map(({ account, code }) => [account, code])),
    });
    setBusy(true);
    const error = await onExport({ currency: getText(form, 'currency'), taxRateName, accountCodes });
    setBusy(false);
    if (error === undefined) onClose();
    else formState.setErrors({ error });
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Alert variant="light">{t.books.oneJournalForEach}</Alert>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t.common.currency}
          description={t.books.theBaseCurrencyOf}
          name="currency"
          data={[...currencies]}
          defaultValue={currencies[0] ?? null}
          allowDeselect={false}
          required
          withAsterisk={false}
        />
        <TextInput
          label={t.books.taxRate}
          description={t.books.itsFullNameIn}
          name="taxRateName"
          maxLength={50}
          required
          withAsterisk={false}
          defaultValue={stored.taxRateName}
        />
        {accounts.map(({ account, label }) => (
          <TextInput
            key={account}
            label={fillText(t.books.accountCode, { label })}
            name={account}
            maxLength={10}
            required
            withAsterisk={false}
            defaultValue={stored.codes[account] ?? defaultCodes[account]}
          />
        ))}
      </SimpleGrid>
      <SubmitButton isBusy={isBusy}>{t.books.export}</SubmitButton>
    </Form>
  );
}
