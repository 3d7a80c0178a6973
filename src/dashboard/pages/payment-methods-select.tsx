import { MultiSelect } from '@mantine/core';
import { formatMethod } from '../format/labels.ts';
import { t } from '../language/texts.ts';
import { type AcceptedMethod, usePaymentMethods } from './payment-methods.ts';

/** If no payment method is selected, all methods are allowed. */
export function PaymentMethodsSelect(props: {
  methods: readonly AcceptedMethod['code'][];
  onChoose: (methods: AcceptedMethod['code'][]) => void;
  error: string | undefined;
}) {
  const { methods, onChoose, error } = props;
  const paymentMethods = usePaymentMethods();
  return (
    <MultiSelect
      label={t.common.paymentMethods}
      description={t.pages.leaveEmptyForAll}
      searchable
      clearable
      data={paymentMethods.map(({ code }) => ({ value: code, label: formatMethod(code) }))}
      value={[...methods]}
      onChange={(values) => onChoose(values as AcceptedMethod['code'][])}
      error={error}
    />
  );
}
