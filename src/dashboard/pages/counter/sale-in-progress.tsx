import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSubscription } from 'urql';
import { ErrorAlert } from '../../components/error-alert.tsx';
import classes from '../../components/link-qr.module.css';
import { QrCode } from '../../components/qr-code.tsx';
import { useFocusOnMount } from '../../components/use-focus-on-mount.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount } from '../../format/amount.ts';
import { t } from '../../language/texts.ts';
import { type CounterSaleRow, cancelCounterSaleMutation, counterSaleUpdated } from './counter-queries.ts';

const statusTexts = {
  open: t.counter.waitingForTheCustomer,
  paying: t.counter.theCustomerIsPaying,
  paid: t.common.paid,
  cancelled: t.common.cancelled,
  expired: t.counter.expiredTheCustomerDid,
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
          <QrCode text={checkoutUrl} label={t.common.qrCodeThatOpens} />
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
            {t.counter.cancelSale}
          </Button>
        )}
        <Button size="lg" ref={button} variant={isOpen ? 'default' : 'filled'} onClick={onDone}>
          {isOpen ? t.counter.back : t.counter.newSale}
        </Button>
      </Group>
    </Stack>
  );
}
