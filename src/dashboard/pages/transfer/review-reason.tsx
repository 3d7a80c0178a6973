import { Text } from '@mantine/core';
import { Link } from '../../components/link.tsx';
import { formatPayer } from '../../format/payer.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import type { TransferDetails } from './transfer-query.ts';
import { formatTransferReason } from './transfer-reasons.ts';

export function ReviewReason({ transfer }: { transfer: TransferDetails }) {
  return (
    <>
      <Text size="sm">{formatReason(transfer)}</Text>
      {transfer.reason === 'charge_completed' && <Text size="sm">{t.transfer.ifTheCustomerPaid}</Text>}
      <ReleasingCharge transfer={transfer} />
    </>
  );
}

/** Links a part payment to the expired charge that released it, where the user can ask for the rest. */
function ReleasingCharge({ transfer: { reason, allocations } }: { transfer: TransferDetails }) {
  const released = allocations.findLast((allocation) => allocation.reason === 'charge_expired');
  const charge = released?.charge;
  if (reason !== 'charge_expired' || charge?.status !== 'expired') return null;
  const text = charge.subscription === null ? t.transfer.askForTheRestOf : t.transfer.acceptPartPaymentOf;
  return (
    <Text size="sm" component="div">
      {fillNodes(text, { charge: <Link to={`/charges/${charge.id}`}>{formatPayer(charge)}</Link> })}
    </Text>
  );
}

function formatReason({ reason, undoneAt }: TransferDetails): string {
  if (undoneAt !== null) return t.transfer.itsStatementWasUndoneAfterCompletion;
  return reason === null ? '' : formatTransferReason(reason);
}
