import { Group, Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { Moment } from '../../components/moment.tsx';
import { SearchPicker } from '../../components/search-picker.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { t } from '../../language/texts.ts';
import { useTransferSearch } from '../search/search-query.ts';
import { getTransferTitle, sourceTexts, type TransferRow } from './transfer-row.ts';

/**
 * Finds another transfer by typing, among those that are offered. Before the user types, `sameAmount` is suggested.
 * Submits its ID as the form field `name`.
 */
export function TransferPicker(props: {
  name: string;
  sameAmount: readonly TransferRow[];
  isOffered: (transfer: TransferRow) => boolean;
}) {
  const { name, sameAmount, isOffered } = props;
  return (
    <SearchPicker<TransferRow>
      name={name}
      label={t.transfer.originalTransfer}
      placeholder={t.transfer.payerAmountOrReference}
      listLabel={t.common.transfers}
      useItems={useTransferSearch}
      suggestions={sameAmount}
      isOffered={isOffered}
      formatItem={(other) =>
        `${getTransferTitle(other)}, ${formatAmount(other.amount, other.currency)}, ${sourceTexts[other.source]}`
      }
      renderItem={(other) => <TransferOption transfer={other} />}
      emptyText={t.transfer.noTransferOfThis}
      isFocused
    />
  );
}

function TransferOption({ transfer }: { transfer: TransferRow }) {
  return (
    <Group justify="space-between" gap="xs">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} truncate>
          {getTransferTitle(transfer)}
        </Text>
        <Text size="xs" c="var(--causeway-muted)" truncate>
          {sourceTexts[transfer.source]} ·{' '}
          <Moment at={transfer.paidAt} format={transfer.isPaidAtDateOnly ? 'date' : 'short'} />
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Amount value={transfer.amount} currency={transfer.currency} />
        <StatusBadge status={transfer.status} />
      </Group>
    </Group>
  );
}
