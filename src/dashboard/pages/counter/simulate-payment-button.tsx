import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { type CounterSaleDetail, simulateCounterPaymentMutation } from './counter-queries.ts';

/** Pays a sale that waits for its payment, so that staff can practise in the sandbox. */
export function SimulatePaymentButton({ sale: { id, status } }: { sale: CounterSaleDetail }) {
  const { mode } = useMode();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const simulate = useMutationAction(simulateCounterPaymentMutation);
  if (mode !== 'sandbox' || status !== 'paying') return null;
  const pay = async () => {
    setBusy(true);
    setError(await simulate({ input: { id } }));
    setBusy(false);
  };
  return (
    <Stack>
      <ErrorAlert text={error} />
      <Button size="lg" loading={isBusy} onClick={() => void pay()}>
        {t.counter.simulateThePayment}
      </Button>
    </Stack>
  );
}
