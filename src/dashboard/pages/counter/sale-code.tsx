import { Stack, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { Facts } from '../../components/facts.tsx';
import classes from '../../components/link-qr.module.css';
import { QrCode } from '../../components/qr-code.tsx';
import { formatAmount } from '../../format/amount.ts';
import { t } from '../../language/texts.ts';
import type { CounterSaleDetail } from './counter-queries.ts';

/** A QR code that opens the payment page, where the customer chooses a payment method. */
export function LinkCode({ sale }: { sale: CounterSaleDetail }) {
  return (
    <Stack align="center" w="100%" gap="xs">
      <div className={classes.code}>
        <QrCode text={sale.checkoutUrl} label={t.common.qrCodeThatOpens} />
      </div>
      <Text ta="center">{t.counter.theCustomerScansThisLink}</Text>
    </Stack>
  );
}

type Payment = NonNullable<CounterSaleDetail['payment']>;

/** The payment scheme's own code, which the customer's bank app scans. */
export function PaymentCode({ payment, methodName }: { payment: Payment; methodName: string }) {
  const { destination, isDemo, referencePlacement } = payment;
  const { qrCode, account, accountName, bank, paymentReference } = destination;
  const amount = formatAmount(payment.amount, payment.currency);
  return (
    <Stack align="center" w="100%" gap="xs">
      {qrCode !== null && (
        <>
          <div className={classes.code}>
            <QrCode text={qrCode} label={fillText(t.counter.qrCodeOfThePayment, { methodName, amount })} />
          </div>
          <Text ta="center">{t.counter.theCustomerScansThisCode}</Text>
        </>
      )}
      {isDemo && <DemoBadge />}
      <Facts
        facts={[
          [t.common.method, `${methodName} · ${amount}`],
          [t.counter.payee, accountName],
          [t.common.account, [bank, account].filter(Boolean).join(' · ')],
          [t.common.reference, paymentReference],
        ]}
      />
      {referencePlacement !== 'in_code' && (
        <Text size="sm" ta="center">
          {fillText(t.counter.ifTheAppAsks, { paymentReference })}
        </Text>
      )}
    </Stack>
  );
}
