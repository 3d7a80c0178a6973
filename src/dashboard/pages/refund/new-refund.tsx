import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { formatAmount, isZero, plainDecimal, writtenAmount } from '../../format/amount.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useFocus } from '../../parts/use-focus.ts';
import { useOutcome } from '../../parts/use-outcome.ts';
import { useMay } from '../../viewer.ts';
import type { ChargeDetails } from '../charge/charge-query.ts';
import { createRefundMutation } from './refund-query.ts';

type Props = { charge: ChargeDetails; onMade: () => void };

/** Gives back a part or all of a charge; offered while something is left of it. */
export function NewRefundButton({ charge, onMade }: Props) {
  const mayRefund = useMay('refund');
  const [opened, dialog] = useDisclosure();
  const [url, setUrl] = useState<string | null>();
  if (!mayRefund || (isZero(charge.amountRefundable) && !opened)) return null;
  const close = () => {
    dialog.close();
    setUrl(undefined);
  };
  const made = (address: string | null) => {
    setUrl(address);
    onMade();
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Refund
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={url === undefined ? 'Refund this charge' : 'The refund is made'}
        centered
      >
        {url === undefined ? (
          <Form charge={charge} onMade={made} />
        ) : (
          <Made charge={charge} url={url} onClose={close} />
        )}
      </Modal>
    </>
  );
}

function Form({ charge, onMade }: { charge: ChargeDetails; onMade: (url: string | null) => void }) {
  const { id, amountRefundable, customerCurrency, email } = charge;
  const [{ fetching }, create] = useMutation(createRefundMutation);
  const { form, refusal, faults, take } = useOutcome(['customerAmount']);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const customerAmount = plainDecimal(String(new FormData(event.currentTarget).get('amount')));
    const outcome = await create({ input: { chargeId: id, customerAmount } });
    take(outcome);
    const result = outcome.data?.createRefund;
    if (result?.__typename === 'CreateRefundSuccess') onMade(result.refund.detailsUrl);
  };
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        <Text size="sm">
          {email === null
            ? 'You get a link to hand on: the customer tells there where the money should go.'
            : `${email} is mailed a link, to tell where the money should go.`}{' '}
          Then you send it from your bank.
        </Text>
        <Refused text={refusal} />
        <TextInput
          label={`Amount (${customerCurrency})`}
          description={`${formatAmount(amountRefundable, customerCurrency)} can be refunded`}
          name="amount"
          error={faults.customerAmount}
          inputMode="decimal"
          defaultValue={writtenAmount(amountRefundable, customerCurrency)}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Make refund
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Made(props: { charge: ChargeDetails; url: string | null; onClose: () => void }) {
  const { charge, url, onClose } = props;
  const button = useFocus<HTMLButtonElement>();
  return (
    <Stack>
      <Text size="sm">
        {charge.email === null
          ? 'Hand this link to the customer. It asks where the money should go:'
          : `${charge.email} is mailed this link, which asks where the money should go:`}
      </Text>
      {url !== null && <CopyText text={url} what="the customer’s link" />}
      <Group justify="flex-end">
        <Button onClick={onClose} ref={button}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
