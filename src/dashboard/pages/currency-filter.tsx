import { FilterSelect } from '../components/filter-bar.tsx';
import { usePaymentMethods } from './payment-methods.ts';

/** Selects a currency of the payment methods as the filter `currency`. */
export function CurrencyFilter() {
  const currencies = [...new Set(usePaymentMethods().map(({ currency }) => currency))].sort();
  return (
    <FilterSelect
      name="currency"
      label="Currency"
      choices={currencies.map((code) => ({ value: code, label: code }))}
      searchable
    />
  );
}
