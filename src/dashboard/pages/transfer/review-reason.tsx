import { Text } from '@mantine/core';
import { t } from '../../language/texts.ts';
import type { TransferDetails } from './transfer-query.ts';
import { formatTransferReason } from './transfer-reasons.ts';

export function ReviewReason({ transfer }: { transfer: TransferDetails }) {
  return (
    <>
      <Text size="sm">{formatReason(transfer)}</Text>
      {transfer.reason === 'charge_completed' && <Text size="sm">{t.transfer.ifTheCustomerPaid}</Text>}
    </>
  );
}

function formatReason({ reason, undoneAt }: TransferDetails): string {
  if (undoneAt !== null) return t.transfer.itsStatementWasUndoneAfterCompletion;
  return reason === null ? '' : formatTransferReason(reason);
}
