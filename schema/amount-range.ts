import type { AmountRange } from '../src/domain/platform/amount-range.ts';
import type { CurrencyCode } from '../src/kit/currency.ts';
import { parseMoney } from '../src/kit/money.ts';
import { builder, type InferInput } from './kit/builder.ts';

export const AmountRangeInput = builder.inputType('AmountRangeInput', {
  description: 'A range of amounts in one currency. Both bounds are inclusive.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency of the amounts.' }),
    min: t.field({
      type: 'Decimal',
      description: 'The minimum amount, in major units. If omitted, there is no minimum.',
    }),
    max: t.field({
      type: 'Decimal',
      description: 'The maximum amount, in major units. If omitted, there is no maximum.',
    }),
  }),
});

/** Returns the bounds in minor units. `path` names the range in errors. */
export function parseAmountRange(
  { currency, min, max }: InferInput<typeof AmountRangeInput>,
  path: string,
): AmountRange {
  const parseBound = (amount: string | null | undefined, name: 'min' | 'max') =>
    amount == null
      ? undefined
      : parseMoney(amount, currency as CurrencyCode, `${path}/${name}`, { allowZero: true }).minor;
  return { currency, min: parseBound(min, 'min'), max: parseBound(max, 'max') };
}
