import { Text } from '@mantine/core';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { ReportNotice } from '../transfer/report-notice.tsx';
import type { CounterSaleDetail } from './counter-queries.ts';

/** Says that the page does not notice the payment, because only statements report payments to the account. */
export function SaleReportNotice({ sale }: { sale: CounterSaleDetail }) {
  const canManageTransfers = useHasPermission('transfers');
  const { payment, receivingAccountId, hasPaymentReports } = sale;
  if (!payment || receivingAccountId === null || hasPaymentReports !== false || payment.isDemo) return null;
  const { amount, currency, destination, referencePlacement } = payment;
  const carriesReference = referencePlacement === 'in_code' || referencePlacement === 'written';
  return (
    <ReportNotice
      title={canManageTransfers ? t.transfer.checkYourBankingApp : t.transfer.askTheOwnerToCheck}
      expected={{
        accountId: receivingAccountId,
        amount,
        currency,
        reference: carriesReference ? destination.paymentReference : '',
        isOpen: true,
      }}
      isPayment={({ session }) => session?.id === sale.id}
    >
      <Text size="sm">{t.counter.thePageShowsPaid}</Text>
      {!canManageTransfers && (
        <Text size="sm" mt="xs">
          {t.counter.handOverTheGoods}
        </Text>
      )}
    </ReportNotice>
  );
}
