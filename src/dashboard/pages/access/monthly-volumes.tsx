import { Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { RowName } from '../../components/two-lines.tsx';
import { formatAmount, isZero } from '../../format/amount.ts';
import { monthName } from '../../format/days.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';

type MonthlyVolume = { month: string; volumeUsd: string; shortfallUsd: string };

/** Shows the months whose live volume decides whether restricted access is granted automatically. */
export function MonthlyVolumes(props: {
  months: readonly MonthlyVolume[];
  /** Hides the threshold, which no longer matters. */
  isGranted: boolean;
}) {
  const { months, isGranted } = props;
  return (
    <>
      <DataTable
        label={t.access.months}
        columns={isGranted ? columns.slice(0, 2) : columns}
        rows={months.map(withId)}
      />
      <Text size="sm" c="var(--causeway-muted)" px="lg" py="md">
        {fillNodes(t.access.liveChargesByThe, {
          grantRule: !isGranted && fillText(t.access.withInEveryMonth, { threshold }),
        })}
      </Text>
    </>
  );
}

const withId = (month: MonthlyVolume) => ({ ...month, id: month.month });

const threshold = formatAmount('2000000', 'USD');

const columns: TableColumn<MonthlyVolume & { id: string }>[] = [
  {
    title: t.access.month,
    cell: ({ month }) => <RowName>{monthName(`${month}-01`)}</RowName>,
  },
  {
    title: t.access.volume,
    isEndAligned: true,
    cell: ({ volumeUsd }) => <Amount value={volumeUsd} currency="USD" />,
  },
  {
    title: fillText(t.access.threshold, { threshold }),
    isEndAligned: true,
    cell: ({ shortfallUsd }) =>
      isZero(shortfallUsd)
        ? t.access.reached
        : fillNodes(t.access.short, { amount: <Amount value={shortfallUsd} currency="USD" /> }),
  },
];
