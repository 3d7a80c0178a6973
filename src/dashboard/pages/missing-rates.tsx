import { Alert, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Link } from '../components/link.tsx';
import { formatMethod } from '../format/labels.ts';
import { graphql, type ResultOf } from '../graphql/graphql.ts';
import { fillNodes } from '../language/fill-nodes.tsx';
import { t } from '../language/texts.ts';
import { methodsContext, usePaymentMethods } from './payment-methods.ts';

const missingRatesQuery = graphql(`
  query MissingExchangeRates {
    missingExchangeRates {
      sourceCurrency
      destinationCurrency
    }
  }
`);

type MissingRateData = NonNullable<ResultOf<typeof missingRatesQuery>['missingExchangeRates']>[number];

function useMissingRates(): readonly MissingRateData[] {
  const [{ data }] = useQuery({ query: missingRatesQuery, context: methodsContext });
  return data?.missingExchangeRates ?? [];
}

/** Names the payment methods that customers cannot use for prices in another currency. */
export function MissingRatesAlert() {
  const rates = useMissingRates();
  if (rates.length === 0) return null;
  return (
    <Alert color="amber" variant="light" title={t.pages.someMethodsAreNotOffered} mb="lg">
      {rates.map((rate) => (
        <MissingRateText key={`${rate.sourceCurrency} ${rate.destinationCurrency}`} rate={rate} />
      ))}
    </Alert>
  );
}

/** Like {@link MissingRatesAlert}, for prices in one currency. */
export function MissingRatesHint({ currency }: { currency: string }) {
  return useMissingRates()
    .filter(({ sourceCurrency }) => sourceCurrency === currency)
    .map((rate) => <MissingRateText key={rate.destinationCurrency} rate={rate} />);
}

function MissingRateText({ rate }: { rate: MissingRateData }) {
  const { sourceCurrency: price, destinationCurrency: currency } = rate;
  const methods = usePaymentMethods().filter((method) => method.currency === currency);
  return (
    <Text size="sm">
      {fillNodes(t.pages.noExchangeRateForPrices, {
        methods: methods.map(({ code }) => formatMethod(code)).join(' · '),
        price,
        currency,
        exchangeRates: (
          <Link to="/help/operations/exchange-rates" underline="always">
            {t.pages.exchangeRatesInText}
          </Link>
        ),
      })}
    </Text>
  );
}
