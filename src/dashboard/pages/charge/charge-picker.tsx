import { Group, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { Moment } from '../../components/moment.tsx';
import { SearchPicker } from '../../components/search-picker.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
import { t } from '../../language/texts.ts';
import { useChargeSearch } from '../search/search-query.ts';
import { type ChargeRow, formatOrderAndEmail, getChargeBadge } from './charge-row.ts';

/** Offers only charges in `currency`, if it is given. */
export function ChargePicker(props: {
  name: string;
  label: string;
  currency?: string;
  suggestions?: readonly ChargeRow[];
  isFocused?: boolean;
  initialItem?: ChargeRow | undefined;
  onChange?: (charge: ChargeRow | null) => void;
}) {
  const { currency, ...rest } = props;
  return (
    <SearchPicker<ChargeRow>
      {...rest}
      placeholder={t.charge.nameEmailAmountOrder}
      listLabel={t.common.charges}
      useItems={useChargeSearch}
      isOffered={({ customerCurrency }) => currency === undefined || customerCurrency === currency}
      formatItem={(charge) =>
        `${formatPayer(charge)}, ${formatAmount(charge.customerAmount, charge.customerCurrency)}`
      }
      renderItem={(charge) => <ChargeOption charge={charge} />}
      emptyText={
        currency === undefined ? t.charge.noChargeFound : fillText(t.charge.noChargeInFound, { currency })
      }
    />
  );
}

function ChargeOption({ charge }: { charge: ChargeRow }) {
  const detail = formatOrderAndEmail(charge);
  return (
    <Group justify="space-between" gap="xs">
      <div style={{ flex: '1 1 9rem', minWidth: 0 }}>
        <Text size="sm" fw={600} truncate>
          {formatPayer(charge)}
        </Text>
        <Text size="xs" c="var(--causeway-muted)" truncate>
          {detail && `${detail} · `}
          <Moment at={charge.createdAt} />
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Amount value={charge.customerAmount} currency={charge.customerCurrency} />
        <StatusBadge status={getChargeBadge(charge)} />
      </Group>
    </Group>
  );
}
