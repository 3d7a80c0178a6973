import {
  Alert,
  Button,
  CopyButton,
  Group,
  Modal,
  MultiSelect,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { plainDecimal } from '../../format/amount.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { faultsOf, refusalOf } from '../../graphql/refusal.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { usePaymentMethods } from '../payment-methods.ts';
import { createCheckoutLinkMutation, currenciesQuery } from './checkout-links-query.ts';

/** Those that show what is wrong with them. */
const fields = new Set(['amount', 'currency', 'orders', 'paymentMethods', 'notifyPayload', 'redirectUrl']);

type Input = VariablesOf<typeof createCheckoutLinkMutation>['input'];

/** The dialog that makes a link, and then shows it. */
export function NewCheckoutLink(props: { opened: boolean; onClose: () => void; onMade: () => void }) {
  const { opened, onClose, onMade } = props;
  const [url, setUrl] = useState<string>();
  const close = () => {
    onClose();
    setUrl(undefined);
  };
  const made = (address: string) => {
    setUrl(address);
    onMade();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={url === undefined ? 'New checkout link' : 'The link is ready'}
      centered
    >
      {url === undefined ? <Form onMade={made} /> : <Made url={url} onClose={close} />}
    </Modal>
  );
}

function Made({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <Stack>
      <CopyText text={url} what="the link" />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button onClick={copy} data-autofocus>
              {copied ? 'Copied' : 'Copy link'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}

function Form({ onMade }: { onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createCheckoutLinkMutation);
  const [{ data }] = useQuery({ query: currenciesQuery, requestPolicy: 'cache-first' });
  const methods = usePaymentMethods();
  const [currency, setCurrency] = useState<string | null>('HKD');
  const [chosen, setChosen] = useState<string[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const [faults, setFaults] = useState<Record<string, string>>({});

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = readForm(form, currency ?? '', chosen as Input['paymentMethods'] & string[]);
    const outcome = await create({ input });
    const wrong = faultsOf(outcome.data);
    setFaults(wrong);
    const isBesideField = Object.keys(wrong).some((field) => fields.has(field));
    setRefusal(isBesideField ? undefined : refusalOf(outcome));
    const result = outcome.data?.createCheckoutLink;
    if (result?.__typename === 'CreateCheckoutLinkSuccess') onMade(result.checkoutLink.url);
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        {refusal !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {refusal}
          </Alert>
        )}
        <Group grow align="flex-start" wrap="nowrap">
          <TextInput
            label="Amount"
            error={faults.amount}
            name="amount"
            inputMode="decimal"
            placeholder="128.50"
            required
            withAsterisk={false}
            data-autofocus
          />
          <Select
            label="Currency"
            error={faults.currency}
            searchable
            allowDeselect={false}
            data={[...(data?.currencies ?? ['HKD'])]}
            value={currency}
            onChange={setCurrency}
            comboboxProps={{ withinPortal: false }}
          />
        </Group>
        <TextInput
          label="What it is for"
          error={faults.orders}
          name="name"
          description="Customers see it"
          maxLength={200}
        />
        <MultiSelect
          label="Payment methods"
          error={faults.paymentMethods}
          description="None chosen: all that you can receive on"
          searchable
          clearable
          data={methods.map(({ method, name }) => ({ value: method, label: name }))}
          value={chosen}
          onChange={setChosen}
        />
        <TextInput
          label="Your reference"
          error={faults.notifyPayload}
          name="reference"
          description="Comes back in notifications"
          maxLength={4096}
        />
        <TextInput
          label="Leads back to"
          error={faults.redirectUrl}
          name="redirectUrl"
          type="url"
          description="An address for the button after payment"
        />
        <Group justify="space-between" gap="sm">
          <Text size="xs" c="var(--causeway-muted)">
            It stays open until you close it.
          </Text>
          <Button type="submit" loading={fetching}>
            Make link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function readForm(form: FormData, currency: string, methods: NonNullable<Input['paymentMethods']>): Input {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const name = text('name');
  return {
    amount: plainDecimal(text('amount')),
    currency,
    ...(name && { orders: [{ name, quantity: 1 }] }),
    ...(methods.length > 0 && { paymentMethods: methods }),
    ...(text('reference') && { notifyPayload: text('reference') }),
    ...(text('redirectUrl') && { redirectUrl: text('redirectUrl') }),
  };
}
