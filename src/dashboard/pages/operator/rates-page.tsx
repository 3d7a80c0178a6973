import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';

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

const setMutation = graphql(`
  mutation SetRate($input: SetRateInput!) {
    setRate(input: $input) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);

const removeMutation = graphql(`
  mutation RemoveRate($input: RemoveRateInput!) {
    removeRate(input: $input) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);

type Rate = ResultOf<typeof ratesQuery>['exchangeRates'][number];

/** The rates that charges in another currency use, who says so, and since when. */
export default function RatesPage() {
  const [{ data, error }, reload] = useQuery({ query: ratesQuery });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader
        title="Exchange rates"
        text="Units of each currency for one euro. Of several rates the one with the newest date counts."
      >
        <SetRate onSet={refresh} />
      </PageHeader>
      <Section title="All rates" flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={8}>
          {({ exchangeRates }) =>
            exchangeRates.length > 0 ? (
              <DataTable
                label="Rates"
                columns={[...columns, removal(refresh)]}
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

function SetRate({ onSet }: { onSet: () => void }) {
  const [, set] = useMutation(setMutation);
  return (
    <ConfirmButton
      label="Set a rate"
      title="Set a rate by hand"
      confirm="Set the rate"
      onConfirm={async (form) => {
        const text = (name: string) => String(form.get(name)).trim();
        const rate = text('rate').replace(',', '.');
        if (!/^\d{1,13}(\.\d{1,20})?$/.test(rate)) return 'The rate must be a number such as 9.2001';
        const currency = text('currency').toUpperCase();
        if (!/^[A-Z]{3}$/.test(currency)) return 'The currency must be a code such as HKD';
        const refused = refusalOf(await set({ input: { currency, rate } }));
        if (refused === undefined) onSet();
        return refused;
      }}
    >
      <Group grow align="flex-start">
        <TextInput
          label="Currency"
          name="currency"
          placeholder="HKD"
          maxLength={3}
          autoCapitalize="characters"
          required
          withAsterisk={false}
          data-autofocus
        />
        <TextInput
          label="For one euro"
          name="rate"
          placeholder="9.2001"
          inputMode="decimal"
          maxLength={30}
          required
          withAsterisk={false}
        />
      </Group>
      <Text size="sm" c="var(--causeway-muted)">
        It counts from now on for every merchant, until a feed tells a rate of a later date.
      </Text>
    </ConfirmButton>
  );
}

type Row = Rate & { id: string };

const columns: Column<Row>[] = [
  {
    title: 'Currency',
    cell: ({ currency, counts }) => (
      <Group gap="xs">
        <Text size="sm" fw={600} span>
          {currency}
        </Text>
        {counts && (
          <Badge color="teal" variant="light" tt="none">
            Counts
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'For one euro', end: true, cell: ({ rate }) => rate },
  {
    title: 'Says who',
    cell: ({ source, setBy }) => (
      <Stack gap={0}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
          {source}
        </Text>
        {setBy !== null && (
          <Text size="xs" c="var(--causeway-muted)" style={{ overflowWrap: 'anywhere' }} span>
            {setBy}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: 'Of',
    end: true,
    cell: ({ asOf, fetchedAt }) => (
      <Stack gap={0} align="flex-end">
        <Text size="sm" span>
          <Moment at={asOf} form="day" />
        </Text>
        <Text size="xs" c="var(--causeway-muted)" span>
          read <Moment at={fetchedAt} />
        </Text>
      </Stack>
    ),
  },
];

function removal(onRemoved: () => void): Column<Row> {
  return {
    title: 'Take back',
    end: true,
    cell: ({ currency, source }) =>
      source === 'by hand' ? <RemoveRate currency={currency} onRemoved={onRemoved} /> : null,
  };
}

function RemoveRate({ currency, onRemoved }: { currency: string; onRemoved: () => void }) {
  const [, remove] = useMutation(removeMutation);
  return (
    <ConfirmButton
      label="Take back"
      title={`Take the rate of ${currency} back?`}
      confirm="Take it back"
      isDanger
      size="xs"
      variant="default"
      onConfirm={async () => {
        const refused = refusalOf(await remove({ input: { currency } }));
        if (refused === undefined) onRemoved();
        return refused;
      }}
    >
      <Text size="sm">The newest rate of the feeds counts then, if there is one.</Text>
    </ConfirmButton>
  );
}
