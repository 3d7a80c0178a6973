import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Section } from '../../components/section.tsx';
import { formatAmount } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { formatDay } from '../../format/moment.ts';
import { useMethodName } from '../payment-methods.ts';
import { type CollectedDayRow, type CollectedSeries, toCollectedSeries } from './collected.ts';
import classes from './collected-charts.module.css';

/** Charts of the amounts collected in the last days, one for each currency and method. Each chart has its own scale. */
export function CollectedCharts({ days }: { days: readonly CollectedDayRow[] }) {
  const series = toCollectedSeries(days);
  return (
    <Section title={`Last ${days.length} days`}>
      {series.length === 0 && (
        <EmptyState title="No payments yet">
          A chart for each payment method appears after its first payment.
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xl">
        {series.map((item) => (
          <Chart key={`${item.currency} ${item.method}`} series={item} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Chart({ series }: { series: CollectedSeries }) {
  const { currency, method, amount, chargeCount, days } = series;
  const name = useMethodName()(method);
  return (
    <figure className={classes.chart}>
      <Group justify="space-between" align="baseline" gap="xs">
        <Text size="sm" fw={600}>
          {name} · {currency}
        </Text>
        <Text size="sm" c="var(--causeway-muted)">
          {pluralize(chargeCount, 'charge')}
        </Text>
      </Group>
      <Text size="lg" fw={650}>
        <Amount value={amount} currency={currency} />
      </Text>
      <Bars series={series} label={summarize(name, series)} />
      <Group justify="space-between" className={classes.axis}>
        <span>{formatDay(days[0]!.date)}</span>
        <span>{formatDay(days.at(-1)!.date)}</span>
      </Group>
      <ChartData series={series} name={name} />
    </figure>
  );
}

const height = 56;
const barWidth = 10;

/** Only the heights of the bars are computed with floats; the texts use the exact decimals. */
function Bars({ series: { days, currency }, label }: { series: CollectedSeries; label: string }) {
  const maxAmount = Math.max(...days.map(({ amount }) => Number(amount)));
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${days.length * barWidth} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map(({ date, amount, chargeCount }, i) => {
        // The minimum height makes even the smallest amount visible.
        const barHeight = chargeCount === 0 ? 0 : Math.max(2, (Number(amount) / maxAmount) * height);
        return (
          <g key={date}>
            <title>{`${formatDay(date)}: ${formatAmount(amount, currency)}`}</title>
            <rect x={i * barWidth} y="0" width={barWidth} height={height} className={classes.ground} />
            <rect
              x={i * barWidth + 1.5}
              y={height - barHeight}
              width={barWidth - 3}
              height={barHeight}
              rx="1"
            />
          </g>
        );
      })}
    </svg>
  );
}

function summarize(name: string, { currency, days, chargeCount }: CollectedSeries): string {
  const bestDay = days.reduce((max, day) => (Number(day.amount) > Number(max.amount) ? day : max));
  return `${name} in ${currency}, ${pluralize(chargeCount, 'charge')}; highest on ${formatDay(bestDay.date)}: ${formatAmount(bestDay.amount, currency)}`;
}

/** Shows the data of a chart as text, for users who cannot see the bars or need exact values. */
function ChartData({ series: { days, currency }, name }: { series: CollectedSeries; name: string }) {
  return (
    <details className={classes.figures}>
      <summary>View data</summary>
      <Stack gap={0} component="ul" aria-label={`${name} in ${currency} by day`}>
        {days
          .filter(({ chargeCount }) => chargeCount > 0)
          .map(({ date, amount }) => (
            <li key={date}>
              <span>{formatDay(date)}</span> <Amount value={amount} currency={currency} />
            </li>
          ))}
      </Stack>
    </details>
  );
}
