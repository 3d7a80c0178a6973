import { fillText } from '../../../language/fill-text.ts';
import { locale, t } from '../../language/texts.ts';

/** Rates rarely change by more than this factor, so the new rate probably has a wrong digit or separator. */
const maxPlausibleFactor = 2;

/** Returns a warning if a rate is implausibly far from the current one; otherwise undefined. */
export function formatRateDeviation(rate: string, currentRate: string): string | undefined {
  const factor = Number(rate) / Number(currentRate);
  if (!(factor > 0) || (factor <= maxPlausibleFactor && factor >= 1 / maxPlausibleFactor)) return undefined;
  const factorFormat = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  return factor > 1
    ? fillText(t.operator.thisIsTimesThe, { factor: factorFormat.format(factor), currentRate })
    : fillText(t.operator.theCurrentRateIs, { currentRate, factor: factorFormat.format(1 / factor) });
}
