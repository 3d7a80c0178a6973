import sax from 'sax';
import { isCurrencyCode } from '../../../kit/currency.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { invalidInputError } from '../../../kit/errors.ts';

/** The bounds of a plausible exchange rate; a feed with a rate outside of them is rejected. */
export const rateMin = '0.000000001';
export const rateMax = '1000000000000';
/** The number of decimals that are stored. Feeds have about six. */
const storedDecimalsMax = 30;

const feedSubject = 'The exchange rate feed';

/** The rates of one feed, in units of each currency for one unit of the base. */
type FeedRates = { base: string; asOf: Date; rates: Map<string, Decimal> };

/**
 * Parses a rate feed: the daily XML of the ECB (`<Cube time=…><Cube currency=… rate=…/>`, base EUR), or JSON with
 * `base`, `date` and `rates`, such as `{ "HKD": 9.2 }`. Skips currencies that are not in ISO 4217. Error: 400.
 */
export function parseRates(text: string): FeedRates {
  const feed = text.trimStart().startsWith('<') ? parseXml(text) : parseJson(text);
  if (feed.rates.size === 0) throw invalidInputError('', 'contains no rates', feedSubject);
  return feed;
}

function parseXml(text: string): FeedRates {
  let date: string | undefined;
  const rates = new Map<string, Decimal>();
  const parser = sax.parser(true);
  parser.onopentag = ({ name, attributes }) => {
    if (!/(?:^|:)Cube$/.test(name)) return;
    const { time, currency, rate } = attributes as Record<string, string | undefined>;
    // A feed of several days begins with the newest day.
    if (time !== undefined && date !== undefined) throw stopReading;
    date ??= time;
    if (currency !== undefined && rate !== undefined) addRate(rates, currency, rate);
  };
  parser.onerror = (error) => {
    throw invalidInputError('', `is not well-formed XML: ${error.message.split('\n')[0]}`, feedSubject);
  };
  try {
    parser.write(text).close();
  } catch (error) {
    if (error !== stopReading) throw error;
  }
  return { base: 'EUR', asOf: parseDate(date), rates };
}

const stopReading = new Error('the newest day has been read');

/**
 * The TypeScript type of `JSON.parse` lacks `context.source`, the literal text of a number. Without it, the
 * number would be rounded to a float.
 */
const parseWithSources = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;

function parseJson(text: string): FeedRates {
  let feed: { base?: unknown; date?: unknown; rates?: unknown };
  try {
    feed = parseWithSources(text, (_key, value, { source }) =>
      typeof value === 'number' ? source : value,
    ) as typeof feed;
  } catch {
    throw invalidInputError('', 'is neither XML nor JSON', feedSubject);
  }
  if (typeof feed !== 'object' || feed === null)
    throw invalidInputError('', 'must be an object', feedSubject);
  if (typeof feed.base !== 'string' || !isCurrencyCode(feed.base))
    throw invalidInputError('/base', 'must be an ISO 4217 currency, such as EUR');
  if (typeof feed.rates !== 'object' || feed.rates === null)
    throw invalidInputError('/rates', 'must be an object');
  const rates = new Map<string, Decimal>();
  for (const [currency, rate] of Object.entries(feed.rates)) addRate(rates, currency, rate);
  return { base: feed.base, asOf: parseDate(feed.date), rates };
}

function addRate(rates: Map<string, Decimal>, currency: string, text: unknown): void {
  if (!isCurrencyCode(currency)) return;
  const isNumber = typeof text === 'string' && /^\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?$/i.test(text);
  const rate = isNumber ? new Decimal(text) : undefined;
  if (!rate?.gte(rateMin) || rate.gt(rateMax)) {
    throw invalidInputError(`/rates/${currency}`, `must be a number from ${rateMin} to ${rateMax}`);
  }
  rates.set(currency, rate.toDecimalPlaces(storedDecimalsMax, Decimal.ROUND_HALF_UP));
}

const datePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Returns the time of a feed. A date without a time means the start of the day, so that a rate is never
 * considered newer than it is. A time without an offset is in UTC.
 */
function parseDate(date: unknown): Date {
  const [, day, time = '00:00', offset = 'Z'] = datePattern.exec(typeof date === 'string' ? date : '') ?? [];
  const asOf = new Date(`${day}T${time}${offset}`);
  if (Number.isNaN(asOf.getTime())) throw invalidInputError('/date', 'must be a date, such as 2026-11-20');
  return asOf;
}
