import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { payerText } from '../../format/payer.ts';
import { useMay } from '../../viewer.ts';
import { CompleteRefundButton } from '../refund/refund-actions.tsx';
import type { PayoutRow } from './payouts-query.ts';

/** Refunds to pay, of which some are chosen. */
export function PayoutTable(props: {
  rows: readonly PayoutRow[];
  chosen: ReadonlySet<string>;
  onChoose: (refund: PayoutRow, isChosen: boolean) => void;
  onPaid: (refund: PayoutRow) => void;
}) {
  const { rows, chosen, onChoose, onPaid } = props;
  const mayPay = useMay('transfers');
  const columns: Column<PayoutRow>[] = [
    {
      title: 'To',
      cell: (refund) => (
        <Group gap="sm" wrap="nowrap">
          <Checkbox
            checked={chosen.has(refund.id)}
            onChange={(event) => onChoose(refund, event.currentTarget.checked)}
            aria-label={`Select ${formatAmount(refund.customerAmount, refund.customerCurrency)} to ${payerText(refund.charge)}`}
          />
          <Stack gap={0} miw={0}>
            <Link to={`/refunds/${refund.id}`} fw={600}>
              {refund.payoutDetails?.holder ?? payerText(refund.charge)}
            </Link>
            {refund.payoutDetails && (
              <Text size="xs" c="var(--causeway-muted)" span>
                {[refund.payoutDetails.bank, refund.payoutDetails.account].filter(Boolean).join(' · ')}
              </Text>
            )}
          </Stack>
        </Group>
      ),
    },
    {
      title: 'Amount',
      end: true,
      cell: (refund) => <Amount value={refund.customerAmount} currency={refund.customerCurrency} />,
    },
    {
      title: 'Reference',
      cell: ({ payoutReference }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          <CopyText text={payoutReference} what="reference" />
        </span>
      ),
    },
    {
      title: 'Export',
      cell: ({ payoutExportedAt }) => (
        <Stack gap={2}>
          <StatusBadge status={payoutExportedAt === null ? 'payout_new' : 'payout_exported'} />
          {payoutExportedAt !== null && (
            <Text size="xs" c="var(--causeway-muted)" span>
              <Moment at={payoutExportedAt} />
            </Text>
          )}
        </Stack>
      ),
    },
    {
      title: 'From',
      cell: ({ payingAccount }) => (
        <Quiet>
          {payingAccount.bank} {payingAccount.account}
        </Quiet>
      ),
    },
    {
      title: 'Actions',
      end: true,
      cell: (refund) =>
        mayPay && <CompleteRefundButton refund={refund} onChanged={() => onPaid(refund)} isLine />,
    },
  ];
  return <DataTable label="Refund payouts" columns={columns} rows={rows} />;
}
