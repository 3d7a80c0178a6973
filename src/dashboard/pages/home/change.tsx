import { Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { locale, t } from '../../language/texts.ts';

const percentFormat = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** Returns the relative change from `before` to `now`, such as `+12%`, or null if there was nothing before. */
export function formatChange(now: number, before: number): string | null {
  return before === 0 ? null : percentFormat.format((now - before) / before);
}

/** Shows the figure of the previous period, and the change since then. */
export function Change(props: { now: number; before: number; text: string; period: string }) {
  const { now, before, text, period } = props;
  const change = formatChange(now, before);
  return (
    <Text size="sm" c="var(--causeway-muted)">
      {change === null
        ? fillText(t.home.before, { figure: text, period })
        : fillText(t.home.changeAndBefore, { change, figure: text, period })}
    </Text>
  );
}
