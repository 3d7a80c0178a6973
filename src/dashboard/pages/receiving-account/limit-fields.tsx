import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { getAmount, getNumber } from '../../components/form.tsx';
import { toFieldAmount } from '../../format/amount.ts';
import type { FieldErrors } from '../../graphql/errors.ts';
import { t } from '../../language/texts.ts';
import type { ReceivingAccountDetails } from './receiving-accounts-query.ts';

type AccountLimitValues = Pick<
  ReceivingAccountDetails,
  'minAmount' | 'maxAmount' | 'paymentWindowMinutes' | 'weight'
>;

export const limitFieldPaths = ['minAmount', 'maxAmount', 'paymentWindowMinutes', 'weight'];

/** Empty fields mean defaults. */
export function LimitFields(props: {
  currency: string;
  limits?: AccountLimitValues;
  fieldErrors: FieldErrors;
}) {
  const { currency, limits, fieldErrors } = props;
  const toFieldValue = (amount: string | null | undefined) =>
    amount == null ? '' : toFieldAmount(amount, currency);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        label={fillText(t.receivingAccount.minimumAmountIn, { currency })}
        name="minAmount"
        inputMode="decimal"
        placeholder={t.receivingAccount.methodDefault}
        defaultValue={toFieldValue(limits?.minAmount)}
        error={fieldErrors.minAmount}
      />
      <TextInput
        label={fillText(t.receivingAccount.maximumAmountIn, { currency })}
        name="maxAmount"
        inputMode="decimal"
        placeholder={t.receivingAccount.methodDefault}
        defaultValue={toFieldValue(limits?.maxAmount)}
        error={fieldErrors.maxAmount}
      />
      <NumberInput
        label={t.receivingAccount.paymentWindowMinutes}
        description={t.receivingAccount.howLongACharge}
        name="paymentWindowMinutes"
        min={5}
        max={43_200}
        placeholder={t.receivingAccount.fromSettings}
        defaultValue={limits?.paymentWindowMinutes ?? ''}
        error={fieldErrors.paymentWindowMinutes}
      />
      <NumberInput
        label={t.receivingAccount.trafficWeight}
        description={t.receivingAccount.relativeToYourOther}
        name="weight"
        min={1}
        max={100}
        defaultValue={limits?.weight ?? 1}
        error={fieldErrors.weight}
      />
    </SimpleGrid>
  );
}

/** Returns the limits in API format; null for empty fields. Throws `FieldInputError` if an amount cannot be parsed. */
export function readLimits(form: FormData, currency: string) {
  const getLimit = (name: string) => getAmount(form, name, currency) || null;
  return {
    minAmount: getLimit('minAmount'),
    maxAmount: getLimit('maxAmount'),
    paymentWindowMinutes: getNumber(form, 'paymentWindowMinutes'),
    weight: getNumber(form, 'weight'),
  };
}
