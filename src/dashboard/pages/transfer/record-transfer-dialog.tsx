import { Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getAmount, getText, SubmitButton } from '../../components/form.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { toFieldAmount } from '../../format/amount.ts';
import { today } from '../../format/days.ts';
import { getDisplayTimeZone } from '../../format/moment.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { randomKey } from '../../graphql/random-key.ts';
import { t } from '../../language/texts.ts';
import { useAccountNames } from '../receiving-account/use-account-names.ts';

const recordTransferMutation = graphql(
  `
    mutation RecordTransfer($input: RecordTransfersInput!) {
      recordTransfers(input: $input) {
        __typename
        ... on RecordTransfersSuccess {
          results {
            detail
            transfer {
              id
            }
            charge {
              id
              session {
                id
              }
            }
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

type RecordResult = ResultOf<typeof recordTransferMutation>['recordTransfers'];
type RecordItem = Extract<RecordResult, { __typename: 'RecordTransfersSuccess' }>['results'][number];
export type RecordedCharge = NonNullable<RecordItem['charge']>;

/** The payment that the user is about to find in the banking app. */
export type ExpectedTransfer = {
  accountId: string;
  amount: string;
  currency: string;
  /** The payment reference, or `''` if payments to the account carry none. */
  reference: string;
  /** Whether the customer can still pay, so that the date of the payment is probably today. */
  isOpen: boolean;
};

type FormProps = {
  expected?: ExpectedTransfer;
  /** The charge is null if the transfer is not matched. */
  onRecorded: (transfer: { id: string }, charge: RecordedCharge | null) => void;
};

/** Records a received transfer that no feed or statement reports. */
export function RecordTransferDialog({
  opened,
  onClose,
  ...form
}: FormProps & { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t.transfer.recordTransfer}>
      <TransferForm {...form} />
    </Dialog>
  );
}

function TransferForm({ expected, onRecorded }: FormProps) {
  const { data: accounts = [] } = useAccountNames();
  const [{ fetching }, record] = useMutation(recordTransferMutation);
  const [chosenId, setChosenId] = useState(expected?.accountId ?? null);
  const formState = useFormState(['amount']);
  // The same for all attempts, so that submitting twice records the transfer once.
  const [bankReference] = useState(() => `hand-${randomKey()}`);
  const onlyAccount = accounts.length === 1 ? accounts[0] : undefined;
  const account = onlyAccount ?? accounts.find(({ value }) => value === chosenId);
  const submit = async (form: FormData) => {
    if (!account) return formState.setErrors({ error: t.transfer.chooseTheAccountThat });
    const amount = formState.read(() => getAmount(form, 'amount', account.currency));
    if (amount === undefined) return;
    const transfer = {
      bankReference,
      receivingAccountId: account.value,
      amount,
      currency: account.currency,
      reference: getText(form, 'reference'),
      payerName: getText(form, 'payerName') || null,
      paidAt: getText(form, 'paidAt'),
    };
    const response = await record({ input: { transfers: [transfer] } });
    formState.handleResult(response);
    const result = response.data?.recordTransfers;
    const recorded = result?.__typename === 'RecordTransfersSuccess' ? result.results[0] : undefined;
    if (recorded?.detail) formState.setErrors({ error: recorded.detail });
    if (recorded?.transfer) onRecorded(recorded.transfer, recorded.charge);
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Text size="sm">{expected ? t.transfer.enterTheAmountAnd : t.transfer.itIsMatchedBy}</Text>
      <Select
        label={t.common.account}
        placeholder={t.transfer.choose}
        {...searchableSelectProps}
        data={accounts}
        value={account?.value ?? null}
        onChange={setChosenId}
        openOnFocus={false}
        data-autofocus={expected ? undefined : true}
      />
      <Group grow align="flex-start">
        <TextInput
          label={account ? fillText(t.transfer.amount, { currency: account.currency }) : t.common.amount}
          name="amount"
          inputMode="decimal"
          defaultValue={expected && toFieldAmount(expected.amount, expected.currency)}
          error={formState.fieldErrors.amount}
          required
          withAsterisk={false}
          data-autofocus={expected ? true : undefined}
        />
        <TextInput
          label={t.transfer.paidOn}
          name="paidAt"
          type="date"
          defaultValue={expected?.isOpen === false ? '' : today(getDisplayTimeZone())}
          required
          withAsterisk={false}
        />
      </Group>
      <TextInput
        label={t.transfer.reference}
        name="reference"
        description={expected?.reference ? t.transfer.changeItIfThe : t.transfer.theMessageThatThe}
        defaultValue={expected?.reference}
        maxLength={1000}
      />
      <TextInput label={t.transfer.payer} name="payerName" maxLength={200} />
      <SubmitButton isBusy={fetching}>{t.transfer.record}</SubmitButton>
    </Form>
  );
}
