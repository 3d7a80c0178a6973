import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { t } from '../language/texts.ts';
import { methodsContext, usePaymentMethods } from './payment-methods.ts';

const currenciesQuery = graphql(`
  query Currencies {
    currencies
  }
`);

/**
 * A native select always shows the currency that will be sent. Until the currencies are loaded, only the selected one
 * is offered.
 */
export function CurrencySelect(props: {
  currency: string;
  onChoose: (currency: string) => void;
  error: string | undefined;
}) {
  const { currency, onChoose, error } = props;
  const [{ data }] = useQuery({
    query: currenciesQuery,
    requestPolicy: 'cache-first',
    context: methodsContext,
  });
  return (
    <NativeSelect
      label={t.common.currency}
      data={[...new Set([currency, ...(data?.currencies ?? [])])].sort()}
      value={currency}
      onChange={(event) => onChoose(event.currentTarget.value)}
      error={error}
    />
  );
}

/** The choices of a form with a price. The default currency is that of the merchant's first payment method. */
export function usePriceChoices<Choices extends { currency: string | null }>(
  initial: Choices | (() => Choices),
) {
  const [state, setState] = useState(initial);
  const [firstMethod] = usePaymentMethods();
  const choices = { ...state, currency: state.currency ?? firstMethod?.currency ?? 'HKD' };
  const update = (changes: Partial<Choices>) => setState((current) => ({ ...current, ...changes }));
  return [choices, update] as const;
}
