import { Badge, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { Name, TwoLines } from '../../components/two-lines.tsx';
import { useAct } from '../../components/use-act.ts';
import { formatRate } from '../../format/amount.ts';
import { rateForm } from '../../format/moment.ts';
import { plainRate } from '../../format/written-number.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import { distanceText } from './rate-distance.ts';

/** The rates that charges in another currency use, who says so, and since when. */
export default function RatesPage() {
  const read = useRead(ratesQuery);
  return (
    <>
      <PageHeader
        title="Exchange rates"
        text="Units of each currency per euro. If a currency has several rates, the one with the newest date is active."
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
                Set feeds in FOREX_URL, import a file with “rates import”, or set single rates here. Until
                then, live charges can’t convert currencies.
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
            Active
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Per EUR', end: true, cell: ({ rate }) => rate },
  {
    title: 'Source',
    cell: ({ source, setBy }) => (
      <TwoLines below={setBy}>{source === 'by hand' ? 'Manual' : source}</TwoLines>
    ),
  },
  {
    title: 'Date',
    end: true,
    cell: ({ asOf, fetchedAt }) => (
      <TwoLines
        below={
          <>
            fetched <Moment at={fetchedAt} />
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
    title: 'Actions',
    end: true,
    cell: ({ currency, source }) =>
      source === 'by hand' && <RemoveRate currency={currency} onRemoved={onRemoved} />,
  };
}

/** Sets a rate by hand; one that is far from the rate that counts only when asked twice. */
function SetRate({ rates, onSet }: { rates: readonly RateRow[]; onSet: () => void }) {
  const set = useAct(setRateMutation, onSet);
  const [currency, setCurrency] = useState('');
  const [warned, setWarned] = useState('');
  const present = rates.find((rate) => rate.counts && rate.currency === currency)?.rate;
  const run = async (form: FormData) => {
    const rate = plainRate(textOf(form, 'rate'));
    const distance = present === undefined ? undefined : distanceText(rate, present);
    const asked = `${currency} ${rate} ${present}`;
    if (distance !== undefined && warned !== asked) {
      setWarned(asked);
      return `${distance} Select “Set rate” again to set it anyway.`;
    }
    const refused = await set({ input: { currency, rate } });
    if (refused === undefined) setCurrency('');
    return refused;
  };
  return (
    <ConfirmButton label="Set rate" title="Set rate manually" onConfirm={run}>
      <Group grow align="flex-start">
        <TextInput
          label="Currency"
          name="currency"
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value.trim().toUpperCase())}
          placeholder="HKD"
          maxLength={3}
          autoCapitalize="characters"
          required
          withAsterisk={false}
          data-autofocus
        />
        <TextInput
          label="Per EUR"
          name="rate"
          description={present !== undefined && `Now ${formatRate(present)}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="9.2001"
          inputMode="decimal"
          maxLength={30}
          required
          withAsterisk={false}
        />
      </Group>
      <Text size="sm" c="var(--causeway-muted)">
        Applies to all merchants from now on, until a feed publishes a rate with a later date.
      </Text>
    </ConfirmButton>
  );
}

function RemoveRate({ currency, onRemoved }: { currency: string; onRemoved: () => void }) {
  const remove = useAct(removeRateMutation, onRemoved);
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove the rate for ${currency}?`}
      confirm="Remove rate"
      isDanger
      size="xs"
      variant="default"
      onConfirm={() => remove({ input: { currency } })}
    >
      <Text size="sm">The newest rate from the feeds will be active instead, if there is one.</Text>
    </ConfirmButton>
  );
}

const ratesQuery = graphql(`
  query ExchangeRates {
    exchangeRates {
      currency
      rate
      source
      counts
      asOf
      fetchedAt
      setBy
    }
  }
`);

type RateRow = ResultOf<typeof ratesQuery>['exchangeRates'][number];

const setRateMutation = graphql(
  `
    mutation SetRate($input: SetRateInput!) {
      setRate(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

const removeRateMutation = graphql(
  `
    mutation RemoveRate($input: RemoveRateInput!) {
      removeRate(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
