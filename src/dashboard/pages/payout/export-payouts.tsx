import { Alert, Checkbox, Radio, Select, Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { textOf } from '../../parts/form.tsx';
import { longChoice } from '../../parts/long-choice.ts';
import type { ExportInput } from '../export/export-query.ts';
import { useAccountNames } from '../receiving-account/account-names.ts';

const formats = [
  { value: 'csv', label: 'CSV, for a spreadsheet' },
  { value: 'pain_001_001_03', label: 'ISO 20022 pain.001.001.03' },
  { value: 'pain_001_001_09', label: 'ISO 20022 pain.001.001.09' },
];

/** Asks for the file with which the bank is told to pay. */
export function ExportPayoutsButton(props: {
  chosen: readonly string[];
  /** Whether one of the chosen stands in a file already. */
  isRepeat: boolean;
  onStart: (input: ExportInput) => Promise<string | undefined>;
}) {
  const { chosen, isRepeat, onStart } = props;
  const { data: accounts = [] } = useAccountNames();
  const start = async (form: FormData) => {
    const payingAccountId = textOf(form, 'account');
    const isAll = form.get('which') === 'all';
    // What was chosen may have been paid meanwhile: that is never to mean all.
    if (!isAll && chosen.length === 0) return 'None is chosen any more.';
    return onStart({
      kind: 'payouts',
      format: String(form.get('format')) as NonNullable<ExportInput['format']>,
      includeExported: form.get('again') === 'on',
      ...(payingAccountId && { payingAccountId }),
      ...(!isAll && { refundIds: [...chosen] }),
      byteOrderMark: true,
    });
  };
  return (
    <ConfirmButton
      label="Export for the bank"
      title="A file for your bank"
      confirm="Make the file"
      onConfirm={start}
    >
      <Text size="sm">
        It holds bank details in the clear; that you took it stands in the audit log. Refunds are completed
        when the payment shows in a statement, or when you mark them as paid.
      </Text>
      <Radio.Group label="Which refunds" name="which" defaultValue={chosen.length > 0 ? 'chosen' : 'all'}>
        <Stack gap="xs" mt={6}>
          {chosen.length > 0 && (
            <Radio
              value="chosen"
              label={chosen.length === 1 ? 'The refund you chose' : `The ${chosen.length} refunds you chose`}
            />
          )}
          <Radio value="all" label="All refunds to pay that stand in no file yet" />
        </Stack>
      </Radio.Group>
      <Select label="Form" name="format" data={formats} defaultValue="csv" allowDeselect={false} />
      <Select
        label="Pay from"
        name="account"
        data={accounts}
        placeholder="The account each charge was paid to"
        clearable
        {...longChoice}
        description={
          chosen.length > 0
            ? 'Only refunds in its currency'
            : 'Only refunds of charges that were paid to it; choose refunds to pay them from another'
        }
      />
      {isRepeat && (
        <Alert color="amber" variant="light" title="Exported before">
          Some of these stand in a file already. Make sure that they were not sent.
        </Alert>
      )}
      <Checkbox name="again" label="Also those that stand in a file already" defaultChecked={false} />
    </ConfirmButton>
  );
}
