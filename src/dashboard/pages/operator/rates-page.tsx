import { Badge, Group } from '@mantine/core';
import { rateForm } from '../../format/moment.ts';
import { useRead } from '../../graphql/use-read.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { Name, TwoLines } from '../../parts/two-lines.tsx';
import { RemoveRate, SetRate } from './rate-actions.tsx';
import { type RateRow, ratesQuery } from './rates-query.ts';

/** The rates that charges in another currency use, who says so, and since when. */
export default function RatesPage() {
  const read = useRead(ratesQuery);
  return (
    <>
      <PageHeader
        title="Exchange rates"
        text="Units of each currency for one euro. Of several rates the one with the newest date counts."
      >
        <SetRate rates={read.data?.exchangeRates ?? []} onSet={read.refresh} />
      </PageHeader>
      <Section title="All rates" flush>
        <Loaded read={read} lines={8}>
          {({ exchangeRates }) =>
            exchangeRates.length > 0 ? (
              <DataTable
                label="Rates"
                columns={[...columns, removal(read.refresh)]}
                rows={exchangeRates.map((rate) => ({ ...rate, id: `${rate.currency} ${rate.source}` }))}
              />
            ) : (
              <Empty title="No rates yet">
                Name feeds in FOREX_URL, import a file with “rates import”, or set single rates here. Until
                then live charges cannot change the currency.
              </Empty>
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

type Row = RateRow & { id: string };

const columns: Column<Row>[] = [
  {
    title: 'Currency',
    cell: ({ currency, counts }) => (
      <Group gap="xs">
        <Name>{currency}</Name>
        {counts && (
          <Badge color="teal" variant="light" tt="none">
            Counts
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'For one euro', end: true, cell: ({ rate }) => rate },
  { title: 'Says who', cell: ({ source, setBy }) => <TwoLines below={setBy}>{source}</TwoLines> },
  {
    title: 'Of',
    end: true,
    cell: ({ asOf, fetchedAt }) => (
      <TwoLines
        below={
          <>
            read <Moment at={fetchedAt} />
          </>
        }
        atEnd
      >
        <Moment at={asOf} form={rateForm(asOf)} />
      </TwoLines>
    ),
  },
];

function removal(onRemoved: () => void): Column<Row> {
  return {
    title: 'Take back',
    end: true,
    cell: ({ currency, source }) =>
      source === 'by hand' && <RemoveRate currency={currency} onRemoved={onRemoved} />,
  };
}
