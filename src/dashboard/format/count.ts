import { fillText } from '../../language/fill-text.ts';
import type { Plural } from '../language/strings.ts';
import { language, locale } from '../language/texts.ts';

const integerFormat = new Intl.NumberFormat(locale);
const pluralRules = new Intl.PluralRules(language);

/** Returns the count with grouping separators, such as `1,234`. */
export function formatCount(count: number): string {
  return integerFormat.format(count);
}

/** Returns the count with its noun, such as `1 charge` or `1,234 charges`. */
export function pluralize(count: number, noun: Plural): string {
  return fillText(noun[pluralRules.select(count)] ?? noun.other, { count: formatCount(count) });
}
