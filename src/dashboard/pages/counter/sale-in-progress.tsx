import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useSubscription } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { LoadingSkeleton } from '../../components/loaded.tsx';
import { useFocusOnMount } from '../../components/use-focus-on-mount.ts';
import { formatAmount, isNegative, isZero, sumDecimals } from '../../format/amount.ts';
import { formatMethod } from '../../format/labels.ts';
import { t } from '../../language/texts.ts';
import { type CounterSaleDetail, counterSaleUpdated } from './counter-queries.ts';
import { readPaymentChoice } from './payment-choice.ts';
import { LinkCode, PaymentCode } from './sale-code.tsx';
import { SaleMethods } from './sale-methods.tsx';
import { SaleReportNotice } from './sale-report-notice.tsx';
import { SimulatePaymentButton } from './simulate-payment-button.tsx';
import { isOpenSale, useCancelSale } from './use-cancel-sale.ts';

const statusTexts = {
  open: t.counter.waitingForTheCustomer,
  paying: t.counter.waitingForThePayment,
  paid: t.common.paid,
  cancelled: t.common.cancelled,
  expired: t.counter.expiredTheCustomerDid,
} as const;

export function SaleInProgress({ id, onDone }: { id: string; onDone: () => void }) {
  const [{ data, error }, restart] = useSubscription({ query: counterSaleUpdated, variables: { id } });
  const sale = data?.counterSaleUpdated;
  return (
    <Stack maw={480} w="100%" mx="auto" align="center">
      {sale ? (
        <Sale sale={sale} onDone={onDone} />
      ) : (
        <>
          {error ? <LoadError error={error} onRetry={restart} /> : <LoadingSkeleton lines={3} />}
          <BackButton isOpen onDone={onDone} />
        </>
      )}
    </Stack>
  );
}

type View = 'methods' | 'link' | 'payment';

function Sale({ sale, onDone }: { sale: CounterSaleDetail; onDone: () => void }) {
  const { amount, currency, itemName, payment, method, offers } = sale;
  const { cancel, endStatus } = useCancelSale(sale.id);
  const status = isOpenSale(sale.status) ? (endStatus ?? sale.status) : sale.status;
  const isOpen = isOpenSale(status);
  const [chosenView, setView] = useState<View>();
  const hasChoice = offers.length > 0;
  const prefersLink = !hasChoice || readPaymentChoice() === 'link';
  const view = chosenView ?? (payment ? 'payment' : prefersLink ? 'link' : 'methods');
  useEffect(() => {
    // Browsers on iOS cannot vibrate.
    if (status === 'paid') navigator.vibrate?.(200);
  }, [status]);
  return (
    <>
      {/* The button that changed the view may be gone, so each view starts with the focus here. */}
      <Heading key={isOpen ? view : 'ended'} text={formatAmount(amount, currency)} />
      {itemName !== null && <Text>{itemName}</Text>}
      <ExactAmount sale={sale} />
      {/* Before the choice of a method, there is no code to scan. */}
      {(status !== 'open' || view !== 'methods') && (
        <Alert role="status" w="100%" color={status === 'paid' ? 'teal' : isOpen ? 'blue' : 'gray'}>
          <Text ta="center" fw={700} size={status === 'paid' ? 'xl' : 'md'}>
            {status === 'paid' && '✓ '}
            {statusTexts[status]}
          </Text>
        </Alert>
      )}
      {isOpen && view === 'methods' && (
        <SaleMethods sale={sale} onMethod={() => setView('payment')} onLink={() => setView('link')} />
      )}
      {isOpen && view === 'link' && <LinkCode sale={sale} />}
      {isOpen && view === 'payment' && payment && (
        <PaymentCode payment={payment} methodName={method ? formatMethod(method) : ''} />
      )}
      {isOpen && <SaleReportNotice sale={sale} />}
      <Actions isOpen={isOpen} onCancel={cancel} onDone={onDone}>
        <SimulatePaymentButton sale={sale} />
        {view !== 'methods' && hasChoice && (
          <Button size="lg" variant="default" onClick={() => setView('methods')}>
            {t.counter.otherWaysToPay}
          </Button>
        )}
      </Actions>
    </>
  );
}

/** An amount may be added so that the exact amount identifies the payment. */
function ExactAmount({ sale: { amount, currency, payment } }: { sale: CounterSaleDetail }) {
  if (payment?.currency !== currency) return null;
  const added = sumDecimals([payment.amount, `-${amount}`]);
  if (isZero(added) || isNegative(added)) return null;
  return (
    <Text size="sm" ta="center">
      {fillText(t.counter.theExtraIdentifies, {
        amount: formatAmount(payment.amount, currency),
        added: formatAmount(added, currency),
      })}
    </Text>
  );
}

function Heading({ text }: { text: string }) {
  const heading = useFocusOnMount<HTMLHeadingElement>();
  return (
    <Title order={2} ref={heading} tabIndex={-1}>
      {text}
    </Title>
  );
}

function Actions(props: {
  isOpen: boolean;
  onCancel: () => Promise<string | undefined>;
  onDone: () => void;
  children: ReactNode;
}) {
  const { isOpen, onCancel, onDone, children } = props;
  return (
    <Stack w="100%">
      {isOpen && children}
      <BackButton isOpen={isOpen} onDone={onDone} />
      {isOpen && (
        <ConfirmButton
          size="lg"
          variant="default"
          label={t.counter.cancelSale}
          title={t.counter.cancelThisSale}
          cancelLabel={t.counter.keepSale}
          isDanger
          onConfirm={onCancel}
        >
          <Text size="sm">{t.counter.theCustomerCanNo}</Text>
        </ConfirmButton>
      )}
    </Stack>
  );
}

function BackButton({ isOpen, onDone }: { isOpen: boolean; onDone: () => void }) {
  return (
    <Button size="lg" variant={isOpen ? 'default' : 'filled'} onClick={onDone}>
      {isOpen ? t.counter.back : t.counter.newSale}
    </Button>
  );
}
