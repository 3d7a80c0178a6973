import { MultiSelect } from '@mantine/core';
import { type PaymentMethod, usePaymentMethods } from './payment-methods.ts';

/** Some of the payment methods, or none in particular. */
export function MethodsChoice(props: {
  methods: readonly PaymentMethod['method'][];
  onChoose: (methods: PaymentMethod['method'][]) => void;
  fault: string | undefined;
}) {
  const { methods, onChoose, fault } = props;
  const known = usePaymentMethods();
  return (
    <MultiSelect
      label="Payment methods"
      description="Leave empty for all available methods"
      searchable
      clearable
      data={known.map(({ method, name }) => ({ value: method, label: name }))}
      value={[...methods]}
      onChange={(chosen) => onChoose(chosen as PaymentMethod['method'][])}
      error={fault}
    />
  );
}
