import { fillText } from '../../language/fill-text.ts';
import { FilterSearchForm } from '../components/filter-bar.tsx';
import { useFilter } from '../components/use-filter.ts';
import { t } from '../language/texts.ts';
import { usePaymentMethods } from './payment-methods.ts';

/** Digits with a decimal point, as in the URL. */
const amountPattern = '\\d+([.]\\d+)?';

/** Returns the range of the filters `currency`, `min` and `max`, or null if no bound is set. */
export function useAmountRange(): { currency: string; min: string | null; max: string | null } | null {
  const { getFilter } = useFilter();
  const currency = getFilter('currency');
  const [min, max] = [readBound('min'), readBound('max')];
  function readBound(name: string) {
    const text = getFilter(name);
    return text !== null && /^\d+(\.\d+)?$/.test(text) ? text : null;
  }
  return currency === null || (min === null && max === null) ? null : { currency, min, max };
}

/**
 * The bounds of an amount, in the selected currency or, if none is selected, in that of the merchant's first payment
 * method. `fromLabel` has the placeholder `{currency}`.
 */
export function AmountFilter({ fromLabel }: { fromLabel: string }) {
  const { getFilter } = useFilter();
  const [firstMethod] = usePaymentMethods();
  const currency = getFilter('currency') ?? firstMethod?.currency;
  if (currency === undefined) return null;
  const bound = { inputMode: 'decimal', width: '7rem', pattern: amountPattern } as const;
  return (
    <FilterSearchForm
      action={t.components.apply}
      fields={[
        { name: 'min', label: fillText(fromLabel, { currency }), ...bound },
        { name: 'max', label: t.components.rangeEnd, ...bound },
      ]}
      otherFilters={{ currency }}
    />
  );
}
