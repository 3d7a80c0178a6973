import { Group, Paper, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { useFilter } from '../../components/use-filter.ts';
import { formatAmount, formatRate } from '../../format/amount.ts';
import { formatCount, pluralize } from '../../format/count.ts';
import { formatList } from '../../format/list.ts';
import { formatPeriod, getRateFormat } from '../../format/moment.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { locale, t } from '../../language/texts.ts';
import { Change } from './change.tsx';
import { formatLargestUnit } from './format-largest-unit.ts';
import type { HomeMetrics, HomeSummary } from './period-query.ts';

const periods = [
  { value: '1', label: t.home.today },
  { value: '7', label: t.home.lastSevenDays },
  { value: '30', label: t.home.lastThirtyDays },
  { value: '90', label: t.home.lastNinetyDays },
];
const defaultPeriod = '30';

/** Returns the period of the URL, and the reporting currency that the user chose; null for the default. */
export function usePeriod() {
  const { getFilter, setFilters } = useFilter();
  const [currency, setCurrency] = useLocalStorage<string | null>({
    key: 'causeway-reporting-currency',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const chosen = getFilter('days');
  const days = periods.some(({ value }) => value === chosen) ? chosen! : defaultPeriod;
  return {
    days: Number(days),
    currency,
    setCurrency,
    setDays: (value: string) => setFilters({ days: value === defaultPeriod ? null : value }),
  };
}

type PeriodControlsProps = ReturnType<typeof usePeriod> & {
  currencies: readonly string[];
  /** The currency of the metrics; undefined until they are loaded. */
  summaryCurrency: string | undefined;
};

export function PeriodControls(props: PeriodControlsProps) {
  const { days, setDays, currency: chosen, setCurrency, currencies, summaryCurrency } = props;
  const currency = chosen ?? summaryCurrency ?? null;
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label={t.common.period}
        size="xs"
        data={periods}
        value={String(days)}
        onChange={setDays}
      />
      <Select
        aria-label={t.home.reportingCurrency}
        size="xs"
        w="7rem"
        {...searchableSelectProps}
        placeholder={t.common.currency}
        data={[...new Set([...(currency === null ? [] : [currency]), ...currencies])].sort()}
        value={currency}
        onChange={setCurrency}
        clearable={chosen !== null}
      />
    </Group>
  );
}

export function PeriodMetricCards({ summary }: { summary: HomeSummary }) {
  const { currency, current, previous } = summary;
  const paid = getPaidShare(current);
  const paidBefore = getPaidShare(previous);
  const period = formatPeriod(previous);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <MetricCard
        title={t.home.collected}
        value={<Amount value={current.collectedAmount} currency={currency} />}
      >
        <Text size="sm">{pluralize(current.collectedCount, t.common.paymentCount)}</Text>
        <Change
          now={Number(current.collectedAmount)}
          before={Number(previous.collectedAmount)}
          text={formatAmount(previous.collectedAmount, currency)}
          period={period}
        />
      </MetricCard>
      <MetricCard
        title={t.common.refundedAmount}
        value={<Amount value={current.refundedAmount} currency={currency} />}
      >
        <Text size="sm">{pluralize(current.refundedCount, t.common.refundCount)}</Text>
        <Change
          now={Number(current.refundedAmount)}
          before={Number(previous.refundedAmount)}
          text={formatAmount(previous.refundedAmount, currency)}
          period={period}
        />
      </MetricCard>
      <MetricCard title={t.home.paidOfCreated} value={formatShare(paid)}>
        {paidBefore !== null && (
          <Text size="sm" c="var(--causeway-muted)">
            {fillText(t.home.before, { figure: formatShare(paidBefore), period })}
          </Text>
        )}
        <Text size="sm">
          {fillNodes(t.home.paidCancelled, {
            completedCount: formatCount(current.completedCount),
            open: (
              <Link to="/charges?status=pending" underline="always">
                {fillText(t.home.open, { pendingCount: formatCount(current.pendingCount) })}
              </Link>
            ),
            expired: (
              <Link to="/charges?status=expired" underline="always">
                {fillText(t.home.expired, { expiredCount: formatCount(current.expiredCount) })}
              </Link>
            ),
            cancelledCount: formatCount(current.cancelledCount),
          })}
        </Text>
      </MetricCard>
      <MetricCard title={t.home.timeToPay} value={formatLargestUnit(current.medianSecondsToPay)}>
        {current.medianSecondsToPay !== null && <Text size="sm">{t.home.halfOfTheCustomers}</Text>}
        {previous.medianSecondsToPay !== null && (
          <Text size="sm" c="var(--causeway-muted)">
            {fillText(t.home.before, { figure: formatLargestUnit(previous.medianSecondsToPay), period })}
          </Text>
        )}
      </MetricCard>
    </SimpleGrid>
  );
}

/**
 * Returns the fraction of the period's charges that were paid, without the charges that are still open; null if there
 * are no others.
 */
function getPaidShare({
  createdCount,
  completedCount,
  pendingCount,
}: Pick<HomeMetrics, 'createdCount' | 'completedCount' | 'pendingCount'>): number | null {
  const decided = createdCount - pendingCount;
  return decided === 0 ? null : completedCount / decided;
}

const shareFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

function formatShare(share: number | null): string {
  return share === null ? '—' : shareFormat.format(share);
}

function MetricCard({ title, value, children }: { title: string; value: ReactNode; children: ReactNode }) {
  return (
    <Paper component="section" aria-label={title} withBorder radius="lg" p="lg" bg="var(--causeway-card)">
      <Text size="sm" c="var(--causeway-muted)">
        {title}
      </Text>
      <Text size="xl" fw={650} component="div">
        {value}
      </Text>
      <Stack gap={0}>{children}</Stack>
    </Paper>
  );
}

export function RateNotice({ summary }: { summary: HomeSummary }) {
  const { currency, rates, unconvertedCurrencies } = summary;
  if (rates.length === 0 && unconvertedCurrencies.length === 0) return null;
  return (
    <Text size="xs" c="var(--causeway-muted)" component="div">
      {rates.length > 0 &&
        fillNodes(t.home.convertedToAtThe, {
          currency,
          rates: rates.map(({ currency: from, rate, effectiveAt }, i) => (
            <span key={from}>
              {i > 0 && ' · '}
              {fillNodes(t.home.rateOn, {
                rate: `1 ${from} = ${formatRate(rate, 5)} ${currency}`,
                date: <Moment at={effectiveAt} format={getRateFormat(effectiveAt)} />,
              })}
            </span>
          )),
        })}
      {rates.length > 0 && ' '}
      {unconvertedCurrencies.length > 0 &&
        fillText(t.home.totalsDoNotInclude, { currencies: formatList(unconvertedCurrencies) })}
    </Text>
  );
}
