import { MultiSelect } from '@mantine/core';
import { type PaymentMethodName, usePaymentMethods } from './payment-methods.ts';

/** Selects payment methods; no selection means all methods. */
export function PaymentMethodsSelect(props: {
  methods: readonly PaymentMethodName['method'][];
  onChoose: (methods: PaymentMethodName['method'][]) => void;
  error: string | undefined;
}) {
  const { methods, onChoose, error } = props;
  const paymentMethods = usePaymentMethods();
  return (
    <MultiSelect
      label="Payment methods"
      description="Leave empty for all available methods"
      searchable
      clearable
      data={paymentMethods.map(({ method, name }) => ({ value: method, label: name }))}
      value={[...methods]}
      onChange={(values) => onChoose(values as PaymentMethodName['method'][])}
      error={error}
    />
  );
}
