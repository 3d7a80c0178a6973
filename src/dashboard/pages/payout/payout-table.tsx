import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { CompleteRefundButton } from '../refund/refund-actions.tsx';
import { schemeNames } from '../refund/scheme-names.ts';
import type { PayoutRow } from './payouts-query.ts';

export function PayoutTable(props: {
  rows: readonly PayoutRow[];
  selectedIds: ReadonlySet<string>;
  onSelect: (refund: PayoutRow, isSelected: boolean) => void;
  onPaid: (refund: PayoutRow) => void;
}) {
  const { rows, selectedIds, onSelect, onPaid } = props;
  const canPay = useHasPermission('transfers');
  const columns: TableColumn<PayoutRow>[] = [
    {
      title: t.payout.toCustomer,
      cell: (refund) => (
        <Group gap="sm" wrap="nowrap">
          {canPay && (
            <Checkbox
              checked={selectedIds.has(refund.id)}
              onChange={(event) => onSelect(refund, event.currentTarget.checked)}
              aria-label={fillText(t.payout.selectTo, {
                customerAmount: formatAmount(refund.customerAmount, refund.customerCurrency),
                charge: formatPayer(refund.charge),
              })}
            />
          )}
          <Stack gap={0} miw={0}>
            <Link to={`/refunds/${refund.id}`} fw={600}>
              {refund.payoutDetails?.accountName ?? formatPayer(refund.charge)}
            </Link>
            <Text size="xs" c="var(--causeway-muted)" span>
              {[
                refund.payoutScheme && schemeNames[refund.payoutScheme],
                refund.payoutDetails?.bank,
                refund.payoutDetails?.account,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Stack>
        </Group>
      ),
    },
    {
      title: t.common.amount,
      isEndAligned: true,
      cell: (refund) => <Amount value={refund.customerAmount} currency={refund.customerCurrency} />,
    },
    {
      title: t.common.reference,
      cell: ({ payoutReference }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          {payoutReference !== null && <CopyText text={payoutReference} label={t.components.copyReference} />}
        </span>
      ),
    },
    {
      title: t.payout.export,
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
      title: t.payout.fromAccount,
      cell: ({ payingAccount }) => (
        <Muted>
          {payingAccount?.bank} {payingAccount?.account}
        </Muted>
      ),
    },
    {
      title: t.common.actions,
      isEndAligned: true,
      cell: (refund) =>
        canPay && <CompleteRefundButton refund={refund} onChanged={() => onPaid(refund)} isInRow />,
    },
  ];
  return <DataTable label={t.payout.refundPayouts} columns={columns} rows={rows} />;
}
