import { Alert } from '@mantine/core';
import { Link } from '../../components/link.tsx';
import { formatAmount, isNegative } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
import { useFreshQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { getRemainingAmount } from '../charge/charge-row.ts';
import { type TransferDetails, transferQuery } from '../transfer/transfer-query.ts';

/** Shows the outcome of a transfer that has left the review, with links to its charge and to its page. */
export function ReviewedNotice({ id }: { id: string }) {
  const { transfer } = useFreshQuery(transferQuery, { id }).data ?? {};
  if (!transfer || transfer.status === 'exception') return null;
  const amount = formatAmount(transfer.amount, transfer.currency);
  const details = (
    <Link to={`/transfers/${id}`} size="sm">
      {t.statement.viewTransfer}
    </Link>
  );
  const charge = findCharge(transfer);
  return (
    <Alert color="causeway" variant="light" mb="md">
      {charge
        ? fillNodes(charge.status === 'completed' ? t.review.wasAppliedTo : t.review.wasAppliedInPart, {
            amount,
            charge: (
              <Link to={`/charges/${charge.id}`} size="sm" fw={600}>
                {formatPayer(charge)}
              </Link>
            ),
            missing: formatAmount(getRemainingAmount(charge), charge.customerCurrency),
            link: details,
          })
        : fillNodes(t.review.leftTheList, { amount, link: details })}
    </Alert>
  );
}

/** Returns the charge to which the transfer was applied last. */
function findCharge({ allocations }: TransferDetails) {
  return allocations.findLast(({ charge, amount }) => charge !== null && !isNegative(amount))?.charge;
}
