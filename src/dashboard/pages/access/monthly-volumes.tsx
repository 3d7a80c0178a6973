import { Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { RowName } from '../../components/two-lines.tsx';
import { formatAmount, isZero } from '../../format/amount.ts';
import { monthName } from '../../format/days.ts';

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
        label="Months"
        columns={isGranted ? columns.slice(0, 2) : columns}
        rows={months.map(withId)}
      />
      <Text size="sm" c="var(--causeway-muted)" px="lg" py="md">
        Live charges by the month (UTC) in which they completed, in US dollars at the rate when they were
        created. {!isGranted && `With ${threshold} in every month, a request is granted immediately.`}
      </Text>
    </>
  );
}

const withId = (month: MonthlyVolume) => ({ ...month, id: month.month });

const threshold = formatAmount('2000000', 'USD');

const columns: TableColumn<MonthlyVolume & { id: string }>[] = [
  {
    title: 'Month',
    cell: ({ month }) => <RowName>{monthName(`${month}-01`)}</RowName>,
  },
  {
    title: 'Volume',
    isEndAligned: true,
    cell: ({ volumeUsd }) => <Amount value={volumeUsd} currency="USD" />,
  },
  {
    title: `Threshold: ${threshold}`,
    isEndAligned: true,
    cell: ({ shortfallUsd }) =>
      isZero(shortfallUsd) ? (
        'reached'
      ) : (
        <>
          <Amount value={shortfallUsd} currency="USD" /> short
        </>
      ),
  },
];
