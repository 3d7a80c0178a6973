import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSubscription } from 'urql';
import { ErrorAlert } from '../../components/error-alert.tsx';
import classes from '../../components/link-qr.module.css';
import { QrCode } from '../../components/qr-code.tsx';
import { useFocusOnMount } from '../../components/use-focus-on-mount.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { type CounterSaleRow, cancelCounterSaleMutation, counterSaleUpdated } from './counter-queries.ts';

const statusTexts = {
  open: 'Waiting for the customer to scan the code',
  paying: 'The customer is paying',
  paid: 'Paid',
  cancelled: 'Cancelled',
  expired: 'Expired: the customer did not pay in time',
} as const;

/** Shows the QR code of a sale, and its progress live. */
export function SaleInProgress({ sale: initial, onDone }: { sale: CounterSaleRow; onDone: () => void }) {
  const [{ data }] = useSubscription({ query: counterSaleUpdated, variables: { id: initial.id } });
  const sale = data?.counterSaleUpdated ?? initial;
  const { status, amount, currency, itemName, checkoutUrl, id } = sale;
  const isOpen = status === 'open' || status === 'paying';
  useEffect(() => {
    // iOS has no vibration.
    if (status === 'paid') navigator.vibrate?.(200);
  }, [status]);
  return (
    <Stack maw={480} w="100%" mx="auto" align="center">
      <Title order={2}>{formatAmount(amount, currency)}</Title>
      {itemName !== null && <Text>{itemName}</Text>}
      {isOpen && (
        <div className={classes.code}>
          <QrCode text={checkoutUrl} label="QR code that opens the checkout page" />
        </div>
      )}
      <Alert role="status" w="100%" color={status === 'paid' ? 'teal' : isOpen ? 'blue' : 'gray'}>
        <Text ta="center" fw={700} size={status === 'paid' ? 'xl' : 'md'}>
          {status === 'paid' && '✓ '}
          {statusTexts[status]}
        </Text>
      </Alert>
      <Actions id={id} isOpen={isOpen} onDone={onDone} />
    </Stack>
  );
}

function Actions({ id, isOpen, onDone }: { id: string; isOpen: boolean; onDone: () => void }) {
  const button = useFocusOnMount<HTMLButtonElement>();
  const [error, setError] = useState<string>();
  const cancel = useMutationAction(cancelCounterSaleMutation);
  return (
    <Stack w="100%">
      <ErrorAlert text={error} />
      <Group grow>
        {isOpen && (
          <Button size="lg" variant="default" onClick={async () => setError(await cancel({ input: { id } }))}>
            Cancel sale
          </Button>
        )}
        <Button size="lg" ref={button} variant={isOpen ? 'default' : 'filled'} onClick={onDone}>
          {isOpen ? 'Back' : 'New sale'}
        </Button>
      </Group>
    </Stack>
  );
}
