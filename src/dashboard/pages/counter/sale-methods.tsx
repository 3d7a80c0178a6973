import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatMethod } from '../../format/labels.ts';
import { t } from '../../language/texts.ts';
import { type CounterSaleDetail, chooseCounterSaleMethodMutation } from './counter-queries.ts';
import { storePaymentChoice } from './payment-choice.ts';

type Offer = CounterSaleDetail['offers'][number];

/** Asks how the customer pays. The browser remembers the choice for the next sale. */
export function SaleMethods(props: { sale: CounterSaleDetail; onMethod: () => void; onLink: () => void }) {
  const { sale, onMethod, onLink } = props;
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const pay = useMutationAction(chooseCounterSaleMethodMutation, onMethod);
  const choose = async ({ method }: Offer) => {
    setBusy(true);
    storePaymentChoice(method);
    setError(await pay({ input: { id: sale.id, method } }));
    setBusy(false);
  };
  // Customers at the counter usually pay in its currency.
  const getCurrencyRank = ({ customerCurrency }: Offer) => (customerCurrency === sale.currency ? 0 : 1);
  const offers = sale.offers.toSorted((a, b) => getCurrencyRank(a) - getCurrencyRank(b));
  return (
    <Stack w="100%">
      <Title order={3} ta="center">
        {t.counter.howDoesTheCustomer}
      </Title>
      <ErrorAlert text={error} />
      <SimpleGrid cols={2} spacing="xs" verticalSpacing="xs">
        {offers.map((offer) => (
          <ChoiceButton
            key={offer.method}
            title={formatMethod(offer.method)}
            text={formatAmount(offer.customerAmount, offer.customerCurrency)}
            isBusy={isBusy}
            onClick={() => void choose(offer)}
          />
        ))}
      </SimpleGrid>
      <ChoiceButton
        title={t.counter.theCustomerChooses}
        text={t.counter.withALinkAnd}
        isBusy={isBusy}
        onClick={() => {
          storePaymentChoice('link');
          onLink();
        }}
      />
    </Stack>
  );
}

function ChoiceButton(props: { title: string; text: string; isBusy: boolean; onClick: () => void }) {
  const { title, text, isBusy, onClick } = props;
  return (
    <Button
      variant="default"
      h="auto"
      mih={64}
      py="xs"
      disabled={isBusy}
      onClick={onClick}
      styles={{ label: { whiteSpace: 'normal' } }}
    >
      <span>
        <Text fw={600} span display="block">
          {title}
        </Text>
        <Text size="sm" span>
          {text}
        </Text>
      </span>
    </Button>
  );
}
