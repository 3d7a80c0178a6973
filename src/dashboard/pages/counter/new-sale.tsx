import {
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { getMinorDigits, zeroDecimalCurrencies } from '../../../kit/currency.ts';
import { parseAmount, withFieldPath } from '../../../kit/typed-number.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { formatAmount } from '../../format/amount.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import {
  chooseCounterSaleMethodMutation,
  createCounterSaleMutation,
  type PointOfSale,
} from './counter-queries.ts';
import { readPaymentChoice, readSaleCurrency, storeSaleCurrency } from './payment-choice.ts';

type Props = { pointOfSale: PointOfSale; isOnline: boolean; onCreated: (id: string) => void };

export function NewSale(props: Props) {
  const [entry, setEntry] = useState('keypad');
  return (
    <Stack maw={480} w="100%" mx="auto">
      <SegmentedControl
        aria-label={t.counter.enterTheSaleBy}
        value={entry}
        onChange={setEntry}
        data={[
          { value: 'keypad', label: t.counter.keypad },
          { value: 'items', label: t.common.items },
        ]}
      />
      {entry === 'keypad' ? <Keypad {...props} /> : <Items {...props} />}
    </Stack>
  );
}

function useCreateSale(onCreated: Props['onCreated']) {
  const [{ fetching: isCreating }, create] = useMutation(createCounterSaleMutation);
  const [{ fetching: isChoosing }, pay] = useMutation(chooseCounterSaleMethodMutation);
  const formState = useFormState(['amount']);
  const submit = async (input: { itemId: string } | { amount: string; currency: string }) => {
    const response = await create({ input });
    formState.handleResult(response);
    const result = response.data?.createCounterSale;
    if (result?.__typename !== 'CreateCounterSaleSuccess') return;
    const { id, offers } = result.counterSale;
    const method = chooseMethod(offers.map((offer) => offer.method));
    if (method !== undefined) await pay({ input: { id, method } });
    onCreated(id);
  };
  return { fetching: isCreating || isChoosing, formState, submit };
}

/** Returns the method chosen last or the only one, or undefined if the cashier must choose one for this sale. */
function chooseMethod<Method extends string>(methods: readonly Method[]): Method | undefined {
  const choice = readPaymentChoice();
  const isOnly = methods.length === 1 && choice !== 'link';
  return isOnly ? methods[0] : methods.find((method) => method === choice);
}

function Keypad({ pointOfSale, isOnline, onCreated }: Props) {
  const [text, setText] = useState('');
  const { currencies } = pointOfSale;
  const [currency = '', setCurrency] = useState(
    currencies.find((code) => code === readSaleCurrency()) ?? currencies[0],
  );
  const { fetching, formState, submit } = useCreateSale(onCreated);
  if (currency === '')
    return <EmptyState title={t.counter.noPaymentMethod}>{t.counter.askTheOwnerTo}</EmptyState>;
  const hasDecimals = !zeroDecimalCurrencies.has(currency) && getMinorDigits(currency) > 0;
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', hasDecimals ? '.' : '00', '0'];
  const createSale = async () => {
    // Ignores the decimal point at the end of `12.`.
    const finished = text.trim().replace(/[.,]$/, '');
    const amount = formState.read(() => withFieldPath('amount', () => parseAmount(finished, currency)));
    if (amount === undefined) return;
    storeSaleCurrency(currency);
    await submit({ amount, currency });
  };
  return (
    <Form state={formState} onSubmit={createSale}>
      <Group align="flex-start" wrap="nowrap">
        <TextInput
          label={t.common.amount}
          name="amount"
          size="xl"
          flex={1}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={formState.fieldErrors.amount}
        />
        <NativeSelect
          label={t.common.currency}
          size="xl"
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
          data={[...currencies]}
        />
      </Group>
      <SimpleGrid cols={3} spacing="xs" verticalSpacing="xs">
        {keys.map((key) => (
          <Button key={key} variant="default" size="xl" onClick={() => setText(text + key)}>
            {key}
          </Button>
        ))}
        <Button
          variant="default"
          size="xl"
          aria-label={t.counter.deleteTheLastDigit}
          onClick={() => setText(text.slice(0, -1))}
        >
          ⌫
        </Button>
      </SimpleGrid>
      <Button type="submit" size="xl" loading={fetching} disabled={!isOnline || text === ''}>
        {t.counter.showQrCode}
      </Button>
    </Form>
  );
}

function Items({ pointOfSale, isOnline, onCreated }: Props) {
  const canWrite = useHasPermission('write');
  const { fetching, formState, submit } = useCreateSale(onCreated);
  if (pointOfSale.items.length === 0)
    return (
      <EmptyState title={t.counter.noItemsYet}>
        {fillNodes(t.counter.itemsAreCheckoutLinks, {
          link: canWrite && (
            <Link to="/checkout-links" underline="always">
              {t.counter.createALink}
            </Link>
          ),
        })}
      </EmptyState>
    );
  return (
    <Form state={formState} onSubmit={() => undefined}>
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" verticalSpacing="xs">
        {pointOfSale.items.map(({ id, name, amount, currency }) => (
          <Button
            key={id}
            variant="default"
            h="auto"
            mih={80}
            py="sm"
            disabled={!isOnline || fetching}
            onClick={() => void submit({ itemId: id })}
            styles={{ label: { whiteSpace: 'normal' } }}
          >
            <span>
              <Text fw={600} span display="block">
                {name}
              </Text>
              <Text size="sm" span>
                {formatAmount(amount, currency)}
              </Text>
            </span>
          </Button>
        ))}
      </SimpleGrid>
    </Form>
  );
}
