import { Badge, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseRate } from '../../../kit/typed-number.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { getText } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { RowName, TwoLines } from '../../components/two-lines.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatRate } from '../../format/amount.ts';
import { getRateFormat } from '../../format/moment.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { formatRateDeviation } from './format-rate-deviation.ts';

export default function RatesPage() {
  const query = useCachedQuery(ratesQuery);
  return (
    <>
      <PageHeader
        title="Exchange rates"
        text="Units of each currency per euro. If a currency has several rates, the one with the newest date is active."
      >
        <SetExchangeRate rates={query.data?.exchangeRates ?? []} onSet={query.refresh} />
      </PageHeader>
      <Section title="All rates" isFlush>
        <Loaded query={query} lines={8}>
          {({ exchangeRates }) =>
            exchangeRates.length > 0 ? (
              <DataTable
                label="Rates"
                columns={[...columns, actionsColumn(query.refresh)]}
                rows={exchangeRates.map((rate) => ({ ...rate, id: `${rate.currency} ${rate.source}` }))}
              />
            ) : (
              <EmptyState title="No rates yet">
                Set feeds in EXCHANGE_RATE_FEEDS, import a file with “rates import”, or set single rates here.
                Until then, live charges can’t convert currencies.
              </EmptyState>
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

type RateTableRow = RateRow & { id: string };

const columns: TableColumn<RateTableRow>[] = [
  {
    title: 'Currency',
    cell: ({ currency, isActive }) => (
      <Group gap="xs">
        <RowName>{currency}</RowName>
        {isActive && (
          <Badge color="teal" variant="light" tt="none">
            Active
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Per EUR', isEndAligned: true, cell: ({ rate }) => rate },
  {
    title: 'Source',
    cell: ({ source, setByEmail }) => (
      <TwoLines below={setByEmail}>{source === 'manual' ? 'Manual' : source}</TwoLines>
    ),
  },
  {
    title: 'Date',
    isEndAligned: true,
    cell: ({ effectiveAt, updatedAt }) => (
      <TwoLines
        below={
          <>
            fetched <Moment at={updatedAt} />
          </>
        }
        isEndAligned
      >
        <Moment at={effectiveAt} format={getRateFormat(effectiveAt)} />
      </TwoLines>
    ),
  },
];

function actionsColumn(onRemoved: () => void): TableColumn<RateTableRow> {
  return {
    title: 'Actions',
    isEndAligned: true,
    cell: ({ currency, source }) =>
      source === 'manual' && <RemoveExchangeRate currency={currency} onRemoved={onRemoved} />,
  };
}

/** Sets a rate manually. A rate far from the current one needs a second confirmation. */
function SetExchangeRate({ rates, onSet }: { rates: readonly RateRow[]; onSet: () => void }) {
  const set = useMutationAction(setExchangeRateMutation, onSet);
  const [currency, setCurrency] = useState('');
  const [confirmedKey, setConfirmedKey] = useState('');
  const currentRate = rates.find((rate) => rate.isActive && rate.currency === currency)?.rate;
  const submit = async (form: FormData) => {
    const rate = parseRate(getText(form, 'rate'));
    const deviation = currentRate === undefined ? undefined : formatRateDeviation(rate, currentRate);
    const confirmationKey = `${currency} ${rate} ${currentRate}`;
    if (deviation !== undefined && confirmedKey !== confirmationKey) {
      setConfirmedKey(confirmationKey);
      return `${deviation} Select “Set rate” again to set it anyway.`;
    }
    const message = await set({ input: { currency, rate } });
    if (message === undefined) setCurrency('');
    return message;
  };
  return (
    <ConfirmButton label="Set rate" title="Set rate manually" onConfirm={submit}>
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
          description={currentRate !== undefined && `Now ${formatRate(currentRate)}`}
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

function RemoveExchangeRate({ currency, onRemoved }: { currency: string; onRemoved: () => void }) {
  const remove = useMutationAction(removeExchangeRateMutation, onRemoved);
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove the rate for ${currency}?`}
      confirmLabel="Remove rate"
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
      isActive
      effectiveAt
      updatedAt
      setByEmail
    }
  }
`);

type RateRow = ResultOf<typeof ratesQuery>['exchangeRates'][number];

const setExchangeRateMutation = graphql(
  `
    mutation SetExchangeRate($input: SetExchangeRateInput!) {
      setExchangeRate(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

const removeExchangeRateMutation = graphql(
  `
    mutation RemoveExchangeRate($input: RemoveExchangeRateInput!) {
      removeExchangeRate(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
