import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { Empty } from '../../components/empty.tsx';
import { Section } from '../../components/section.tsx';
import { formatAmount } from '../../format/amount.ts';
import { counted } from '../../format/count.ts';
import { formatDay } from '../../format/moment.ts';
import { useMethodName } from '../payment-methods.ts';
import { type Day, type Series, seriesOf } from './collected.ts';
import classes from './collected-charts.module.css';

/** What was collected over the last days: a chart a currency and method, each in its own measure. */
export function CollectedCharts({ days }: { days: readonly Day[] }) {
  const series = seriesOf(days);
  return (
    <Section title={`Last ${days.length} days`}>
      {series.length === 0 && (
        <Empty title="No payments yet">
          A chart for each payment method appears after its first payment.
        </Empty>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xl">
        {series.map((one) => (
          <Chart key={`${one.currency} ${one.method}`} series={one} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Chart({ series }: { series: Series }) {
  const { currency, method, amount, charges, days } = series;
  const name = useMethodName()(method);
  return (
    <figure className={classes.chart}>
      <Group justify="space-between" align="baseline" gap="xs">
        <Text size="sm" fw={600}>
          {name} · {currency}
        </Text>
        <Text size="sm" c="var(--causeway-muted)">
          {counted(charges, 'charge')}
        </Text>
      </Group>
      <Text size="lg" fw={650}>
        <Amount value={amount} currency={currency} />
      </Text>
      <Bars series={series} label={summaryOf(name, series)} />
      <Group justify="space-between" className={classes.axis}>
        <span>{formatDay(days[0]!.date)}</span>
        <span>{formatDay(days.at(-1)!.date)}</span>
      </Group>
      <Figures series={series} name={name} />
    </figure>
  );
}

const height = 56;
const step = 10;

/** Only the height of a bar is a binary number; what is written comes from the decimals themselves. */
function Bars({ series: { days, currency }, label }: { series: Series; label: string }) {
  const most = Math.max(...days.map(({ amount }) => Number(amount)));
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${days.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map(({ date, amount, charges }, i) => {
        // Even the smallest amount shows.
        const tall = charges === 0 ? 0 : Math.max(2, (Number(amount) / most) * height);
        return (
          <g key={date}>
            <title>{`${formatDay(date)}: ${formatAmount(amount, currency)}`}</title>
            <rect x={i * step} y="0" width={step} height={height} className={classes.ground} />
            <rect x={i * step + 1.5} y={height - tall} width={step - 3} height={tall} rx="1" />
          </g>
        );
      })}
    </svg>
  );
}

function summaryOf(name: string, { currency, days, charges }: Series): string {
  const best = days.reduce((most, day) => (Number(day.amount) > Number(most.amount) ? day : most));
  return `${name} in ${currency}, ${counted(charges, 'charge')}; highest on ${formatDay(best.date)}: ${formatAmount(best.amount, currency)}`;
}

/** The same in numbers, for who cannot see bars or wants to know exactly. */
function Figures({ series: { days, currency }, name }: { series: Series; name: string }) {
  return (
    <details className={classes.figures}>
      <summary>View data</summary>
      <Stack gap={0} component="ul" aria-label={`${name} in ${currency} by day`}>
        {days
          .filter(({ charges }) => charges > 0)
          .map(({ date, amount }) => (
            <li key={date}>
              <span>{formatDay(date)}</span> <Amount value={amount} currency={currency} />
            </li>
          ))}
      </Stack>
    </details>
  );
}
