import { Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { RowName } from '../../components/two-lines.tsx';
import { isZero } from '../../format/amount.ts';
import { monthName } from '../../format/days.ts';

type AccessMonth = { month: string; volume: string; missing: string };

/** Shows the months whose live volume decides whether restricted access is granted automatically. */
export function AccessMonths({ months }: { months: readonly AccessMonth[] }) {
  return (
    <>
      <DataTable label="Months" columns={columns} rows={months.map(withId)} />
      <Text size="sm" c="var(--causeway-muted)" px="lg" py="md">
        Live charges by the month (UTC) in which they completed, in US dollars at the rate when they were
        created. With $2,000,000 in every month, a request is granted immediately.
      </Text>
    </>
  );
}

const withId = (month: AccessMonth) => ({ ...month, id: month.month });

const columns: TableColumn<AccessMonth & { id: string }>[] = [
  {
    title: 'Month',
    cell: ({ month }) => <RowName>{monthName(`${month}-01`)}</RowName>,
  },
  { title: 'Volume', end: true, cell: ({ volume }) => <Amount value={volume} currency="USD" /> },
  {
    title: 'Threshold: $2,000,000',
    end: true,
    cell: ({ missing }) =>
      isZero(missing) ? (
        'reached'
      ) : (
        <>
          <Amount value={missing} currency="USD" /> short
        </>
      ),
  },
];
