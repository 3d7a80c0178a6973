import { Select, TextInput } from '@mantine/core';
import { t } from '../../language/texts.ts';
import { type RefundReasonCode, refundReasonTexts } from './refund-reason-texts.ts';

/** The note is the form field `note`. */
export function RefundReasonFields(props: {
  reason: RefundReasonCode | null;
  onReasonChange: (reason: RefundReasonCode | null) => void;
}) {
  const { reason, onReasonChange } = props;
  return (
    <>
      <Select
        label={t.common.reason}
        placeholder={t.common.none}
        clearable
        data={Object.entries(refundReasonTexts).map(([value, label]) => ({ value, label }))}
        value={reason}
        onChange={(value) => onReasonChange(value as RefundReasonCode | null)}
        comboboxProps={{ withinPortal: false }}
      />
      <TextInput label={t.common.note} name="note" description={t.common.visibleToYourTeam} maxLength={500} />
    </>
  );
}
