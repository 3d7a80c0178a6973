import { fillText } from '../../language/fill-text.ts';
import type { Plural } from '../language/strings.ts';
import { language, locale } from '../language/texts.ts';

const integerFormat = new Intl.NumberFormat(locale);
const pluralRules = new Intl.PluralRules(language);

/** Returns the count with grouping separators, such as `1,234`. */
export function formatCount(count: number): string {
  return integerFormat.format(count);
}

/** Fills the form of a text for the count, such as `1 charge` or `1,234 charges`. */
export function pluralize(
  count: number,
  texts: Plural,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillText(texts[pluralRules.select(count)] ?? texts.other, { ...values, count: formatCount(count) });
}
