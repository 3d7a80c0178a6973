import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { rowButtonProps } from '../../components/confirm-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatAmount } from '../../format/amount.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import { RecordTransferDialog } from '../transfer/record-transfer-dialog.tsx';
import type { ChargeDetails } from './charge-query.ts';

type NoTransfersYetProps = { charge: ChargeDetails; onRecorded: () => void };

/** Explains how a charge without transfers becomes paid, and lets the user record the customer's transfer. */
export function NoTransfersYet({ charge, onRecorded }: NoTransfersYetProps) {
  const { mode } = useMode();
  const expectedTransfer = formatExpectedTransfer(charge);
  const isPayable = charge.status === 'pending' || charge.status === 'expired';
  return (
    <EmptyState title={t.charge.noTransfersYet}>
      {expectedTransfer !== undefined && <Text inherit>{expectedTransfer}</Text>}
      {mode === 'live' && isPayable && (
        <>
          <Text inherit mt={4}>
            {t.charge.transfersAreReported}
          </Text>
          <RecordButton charge={charge} onRecorded={onRecorded} />
        </>
      )}
    </EmptyState>
  );
}

/** Explains which transfer would complete a charge that has none. */
function formatExpectedTransfer(charge: ChargeDetails): string | undefined {
  const { status, amountOffset, customerAmount, customerCurrency, destination } = charge;
  if (status === 'completed') return undefined;
  if (status === 'expired') return t.charge.aTransferPaidInTime;
  if (status === 'cancelled') return t.charge.aTransferForThis;
  if (amountOffset !== null)
    return fillText(t.charge.aTransferOfExactly, { amount: formatAmount(customerAmount, customerCurrency) });
  const { paymentReference } = destination;
  return fillText(t.charge.transfersWithReferenceAre, { paymentReference });
}

function RecordButton({ charge, onRecorded }: NoTransfersYetProps) {
  const canManageTransfers = useHasPermission('transfers');
  const [opened, dialog] = useDisclosure();
  const [, navigate] = useLocation();
  const { receivingAccount, customerAmount, customerCurrency, destination, status } = charge;
  if (!canManageTransfers || !receivingAccount) return null;
  return (
    <>
      <Button {...rowButtonProps} mt="sm" onClick={dialog.open}>
        {t.transfer.recordTransfer}
      </Button>
      <RecordTransferDialog
        opened={opened}
        onClose={dialog.close}
        expected={{
          accountId: receivingAccount.id,
          amount: customerAmount,
          currency: customerCurrency,
          reference: receivingAccount.canCarryReference ? destination.paymentReference : '',
          isOpen: status === 'pending',
        }}
        onRecorded={({ id }, paidCharge) => {
          dialog.close();
          if (paidCharge?.id === charge.id) onRecorded();
          else navigate(`/transfers/${id}`);
        }}
      />
    </>
  );
}
