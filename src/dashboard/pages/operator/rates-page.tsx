import { Badge, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseRate } from '../../../kit/typed-number.ts';
import { fillText } from '../../../language/fill-text.ts';
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
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { formatRateDeviation } from './format-rate-deviation.ts';

export default function RatesPage() {
  const query = useCachedQuery(ratesQuery);
  return (
    <>
      <PageHeader title={t.operator.exchangeRates} text={t.operator.unitsOfEachCurrency}>
        <SetExchangeRate rates={query.data?.exchangeRates ?? []} onSet={query.refresh} />
      </PageHeader>
      <Section title={t.operator.allRates} isFlush>
        <Loaded query={query} lines={8}>
          {({ exchangeRates }) =>
            exchangeRates.length > 0 ? (
              <DataTable
                label={t.operator.rates}
                columns={[...columns, actionsColumn(query.refresh)]}
                rows={exchangeRates.map((rate) => ({ ...rate, id: `${rate.currency} ${rate.source}` }))}
              />
            ) : (
              <EmptyState title={t.operator.noRatesYet}>{t.operator.setFeedsInExchange}</EmptyState>
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
    title: t.common.currency,
    cell: ({ currency, isActive }) => (
      <Group gap="xs">
        <RowName>{currency}</RowName>
        {isActive && (
          <Badge color="teal" variant="light" tt="none">
            {t.common.active}
          </Badge>
        )}
      </Group>
    ),
  },
  { title: t.operator.perEur, isEndAligned: true, cell: ({ rate }) => rate },
  {
    title: t.common.source,
    cell: ({ source, setByEmail }) => (
      <TwoLines below={setByEmail}>{source === 'manual' ? t.operator.manual : source}</TwoLines>
    ),
  },
  {
    title: t.operator.date,
    isEndAligned: true,
    cell: ({ effectiveAt, updatedAt }) => (
      <TwoLines below={fillNodes(t.operator.fetched, { moment: <Moment at={updatedAt} /> })} isEndAligned>
        <Moment at={effectiveAt} format={getRateFormat(effectiveAt)} />
      </TwoLines>
    ),
  },
];

function actionsColumn(onRemoved: () => void): TableColumn<RateTableRow> {
  return {
    title: t.common.actions,
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
      return fillText(t.operator.selectSetRateAgain, { deviation });
    }
    const message = await set({ input: { currency, rate } });
    if (message === undefined) setCurrency('');
    return message;
  };
  return (
    <ConfirmButton label={t.operator.setRate} title={t.operator.setRateManually} onConfirm={submit}>
      <Group grow align="flex-start">
        <TextInput
          label={t.common.currency}
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
          label={t.operator.perEur}
          name="rate"
          description={
            currentRate !== undefined && fillText(t.operator.now, { currentRate: formatRate(currentRate) })
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="9.2001"
          inputMode="decimal"
          maxLength={30}
          required
          withAsterisk={false}
        />
      </Group>
      <Text size="sm" c="var(--causeway-muted)">
        {t.operator.appliesToAllMerchants}
      </Text>
    </ConfirmButton>
  );
}

function RemoveExchangeRate({ currency, onRemoved }: { currency: string; onRemoved: () => void }) {
  const remove = useMutationAction(removeExchangeRateMutation, onRemoved);
  return (
    <ConfirmButton
      label={t.common.remove}
      title={fillText(t.operator.removeTheRateFor, { currency })}
      confirmLabel={t.operator.removeRate}
      isDanger
      size="xs"
      variant="default"
      onConfirm={() => remove({ input: { currency } })}
    >
      <Text size="sm">{t.operator.theNewestRateFrom}</Text>
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
