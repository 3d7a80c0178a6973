import { FilterSelect } from '../components/filter-bar.tsx';
import { t } from '../language/texts.ts';
import { usePaymentMethods } from './payment-methods.ts';

/** Offers the currencies of the payment methods. The bounds of an amount apply only to a currency. */
export function CurrencyFilter() {
  const currencies = [...new Set(usePaymentMethods().map(({ currency }) => currency))].sort();
  return (
    <FilterSelect
      name="currency"
      label={t.common.currency}
      choices={currencies.map((code) => ({ value: code, label: code }))}
      searchable
      dependentFilters={['min', 'max']}
    />
  );
}
