import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { t } from '../language/texts.ts';

const currenciesQuery = graphql(`
  query Currencies {
    currencies
  }
`);

/**
 * Selects the currency of a price. Until the currencies are loaded, only the selected one is offered. Currencies
 * rarely change, so they are loaded once per client.
 */
export function CurrencySelect(props: {
  currency: string;
  onChoose: (currency: string) => void;
  error: string | undefined;
}) {
  const { currency, onChoose, error } = props;
  const [{ data }] = useQuery({ query: currenciesQuery, requestPolicy: 'cache-first' });
  return (
    <Select
      label={t.common.currency}
      searchable
      allowDeselect={false}
      data={[...(data?.currencies ?? [currency])]}
      value={currency}
      onChange={(value) => value !== null && onChoose(value)}
      error={error}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
