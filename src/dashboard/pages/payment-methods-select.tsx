import { MultiSelect } from '@mantine/core';
import { t } from '../language/texts.ts';
import { type PaymentMethodName, usePaymentMethods } from './payment-methods.ts';

/** Selects payment methods. If none is selected, all methods are allowed. */
export function PaymentMethodsSelect(props: {
  methods: readonly PaymentMethodName['code'][];
  onChoose: (methods: PaymentMethodName['code'][]) => void;
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
      data={paymentMethods.map(({ code, name }) => ({ value: code, label: name }))}
      value={[...methods]}
      onChange={(values) => onChoose(values as PaymentMethodName['code'][])}
      error={error}
    />
  );
}
