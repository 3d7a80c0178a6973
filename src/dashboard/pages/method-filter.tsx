import { FilterSelect } from '../components/filter-bar.tsx';
import { formatMethod } from '../format/labels.ts';
import { t } from '../language/texts.ts';
import { usePaymentMethods } from './payment-methods.ts';

export function MethodFilter() {
  const methods = usePaymentMethods();
  return (
    <FilterSelect
      name="method"
      label={t.common.method}
      choices={methods.map(({ code }) => ({ value: code, label: formatMethod(code) }))}
      searchable
    />
  );
}
