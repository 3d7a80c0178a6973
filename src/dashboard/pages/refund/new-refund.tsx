import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { amountOf, Form, Submit } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MakeDialog } from '../../components/make-dialog.tsx';
import { useFocus } from '../../components/use-focus.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { formatAmount, isZero, writtenAmount } from '../../format/amount.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import type { ChargeDetails } from '../charge/charge-query.ts';
import { CustomerLink } from './customer-link.tsx';
import { createRefundMutation, refundLinkQuery } from './refund-query.ts';

type Props = { charge: ChargeDetails; onMade: () => void };

/** Gives back a part or all of a charge; offered while something is left of it. */
export function NewRefundButton({ charge, onMade }: Props) {
  const mayRefund = useMay('refund');
  const [opened, dialog] = useDisclosure();
  if (!mayRefund || (isZero(charge.amountRefundable) && !opened)) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Refund
      </Button>
      <MakeDialog<string>
        opened={opened}
        onClose={dialog.close}
        title="Refund this charge"
        madeTitle="Refund created"
        onMade={onMade}
        form={(made) => <RefundForm charge={charge} onMade={made} />}
      >
        {(id, close) => <Made charge={charge} id={id} onClose={close} />}
      </MakeDialog>
    </>
  );
}

function RefundForm({ charge, onMade }: { charge: ChargeDetails; onMade: (id: string) => void }) {
  const { id, amountRefundable, customerCurrency, email } = charge;
  const [{ fetching }, create] = useMutation(createRefundMutation);
  const outcome = useOutcome(['customerAmount']);
  const submit = async (form: FormData) => {
    const customerAmount = outcome.read(() => amountOf(form, 'amount', customerCurrency, 'customerAmount'));
    if (customerAmount === undefined) return;
    const answer = await create({ input: { chargeId: id, customerAmount } });
    outcome.take(answer);
    const result = answer.data?.createRefund;
    if (result?.__typename === 'CreateRefundSuccess') onMade(result.refund.id);
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <Text size="sm">
        {email === null
          ? 'You get a link to send to the customer, who enters their bank details there.'
          : `We’ll email ${email} a link to enter bank details.`}{' '}
        You then send the refund from your bank.
      </Text>
      <TextInput
        label={`Amount (${customerCurrency})`}
        description={`${formatAmount(amountRefundable, customerCurrency)} can be refunded`}
        name="amount"
        error={outcome.faults.customerAmount}
        inputMode="decimal"
        defaultValue={writtenAmount(amountRefundable, customerCurrency)}
        required
        withAsterisk={false}
        data-autofocus
      />
      <Submit isBusy={fetching}>Create refund</Submit>
    </Form>
  );
}

function Made(props: { charge: ChargeDetails; id: string; onClose: () => void }) {
  const { charge, id, onClose } = props;
  const read = useRead(refundLinkQuery, { id });
  const button = useFocus<HTMLButtonElement>();
  return (
    <Stack>
      <Text size="sm">
        {charge.email === null
          ? 'Send this link to the customer, who enters their bank details there:'
          : `We’re emailing ${charge.email} this link to enter bank details:`}
      </Text>
      <Loaded read={read} lines={1}>
        {({ refund }) => refund && <CustomerLink url={refund.detailsUrl} refresh={read.refresh} />}
      </Loaded>
      <Group justify="flex-end">
        <Button onClick={onClose} ref={button}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
