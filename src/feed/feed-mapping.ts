import { Decimal } from '../kit/decimal.ts';
import { toStorableText } from '../kit/text.ts';
import { FeedInputError } from './feed-input-error.ts';
import { type FeedTimeFormat, toIsoTime } from './feed-time.ts';
import { findPlaces, type JsonNode, type JsonPlace, type ReadLimits, readTexts } from './json-document.ts';

/**
 * Holds if the text at `pointer` is one of `values` or, without `values`, if `pointer` selects a value other than
 * null or an empty text.
 */
type FeedCondition = { pointer: string; values?: readonly string[] | undefined };

/**
 * JSON pointers to the fields of a transfer in a document. All but `items` and those of `appliesIf` are relative to the
 * item.
 */
export type FeedMapping = {
  /** Selects the items; an empty pointer means that the whole document is one item. */
  items: string;
  /** The mapping applies only if all of these hold for the document. */
  appliesIf?: readonly FeedCondition[] | undefined;
  /**
   * The bank's transaction ID. Of several pointers, as in `payerName` and `paidAt`, the first one that has a text
   * is used.
   */
  id: readonly string[];
  /**
   * The merchant's account, as the bank writes it: alternatives, the most specific first. The texts of one alternative
   * are concatenated.
   */
  accounts?: readonly (readonly string[])[] | undefined;
  amount: string;
  /** A pointer, or one currency for all items. `codes` translates other codes to ISO 4217. */
  currency: { pointer: string; codes?: Readonly<Record<string, string>> } | { value: string };
  /** `sign`: a negative amount is a debit. Items with another direction are ignored. */
  direction: 'credit' | 'sign' | { pointer: string; credit: readonly string[]; debit: readonly string[] };
  /** The texts of the payer, which are joined. */
  references: readonly string[];
  payerName?: readonly string[] | undefined;
  /**
   * The account from which the payment came: alternatives, the most complete first. The texts of one alternative,
   * such as the bank and the number, are joined with a space.
   */
  payerAccount?: readonly (readonly string[])[] | undefined;
  paidAt: { pointers: readonly string[]; format: FeedTimeFormat; timeZone?: string | undefined };
  /** Items for which one of these does not hold are ignored. */
  acceptIf?: readonly FeedCondition[] | undefined;
  /** An item for which one of these holds is a test delivery of the sender. */
  testIf?: readonly FeedCondition[] | undefined;
  /** An item for which one of these holds reverses the credit with the same ID. */
  reversalIf?: readonly FeedCondition[] | undefined;
  /** An item for which one of these holds is a payment by the merchant that was returned. */
  returnedIf?: readonly FeedCondition[] | undefined;
};

/** A transfer as a feed reports it. */
export type FeedItem = {
  id: string;
  /** The merchant's account, the most specific form first. */
  accounts: string[];
  /** Without a sign; not validated yet. */
  amount: string;
  currency: string;
  direction: 'credit' | 'debit';
  reference: string;
  payerName?: string;
  payerAccount?: string;
  /** ISO 8601; undefined if the sender reports no time. */
  paidAt?: string;
  isReversal: boolean;
  isReturned: boolean;
};

export type FeedContent = { items: FeedItem[]; ignoredCount: number; isTest: boolean };

const itemsMax = 500;
const referenceLengthMax = 4_000;
/** The items can share a parent that is as large as the body, so only its beginning is read for each of them. */
const itemLimits: ReadLimits = { max: 100, textLengthMax: referenceLengthMax };
const payerNameLengthMax = 200;
const payerAccountLengthMax = 100;
/** Some banks mask digits of the payer's account. Such a number is dropped, because it identifies no account. */
const maskPattern = /[*•]|x{2}/i;

/** Reads the transfers of a document with the first mapping that applies. */
export function readFeedContent(document: JsonNode, mappings: readonly FeedMapping[]): FeedContent {
  const root: JsonPlace = { node: document, ancestors: [] };
  const mapping = mappings.find(({ appliesIf = [] }) =>
    appliesIf.every((condition) => holds(root, condition, {})),
  );
  if (!mapping) throw new FeedInputError('the body has an unknown type');
  const places = findPlaces(root, mapping.items);
  if (places.length > itemsMax) throw new FeedInputError(`the body has more than ${itemsMax} transfers`);
  if (places.length === 0 && !mapping.items.includes('*'))
    throw new FeedInputError(`the body has nothing at ${mapping.items}`);
  const content: FeedContent = { items: [], ignoredCount: 0, isTest: false };
  for (const place of places) {
    if (mapping.testIf?.some((condition) => holds(place, condition))) content.isTest = true;
    else {
      const item = readItem(place, mapping);
      if (item) content.items.push(item);
      else content.ignoredCount += 1;
    }
  }
  return content;
}

function holds(place: JsonPlace, { pointer, values }: FeedCondition, limits = itemLimits): boolean {
  if (values === undefined)
    return findPlaces(place, pointer, limits).some(({ node }) => node !== null && node !== '');
  return readTexts(place, pointer, limits).some((text) => values.includes(text));
}

/** Returns the item, or undefined if it is ignored, as an item with the amount 0 is. */
function readItem(place: JsonPlace, mapping: FeedMapping): FeedItem | undefined {
  const { acceptIf = [], reversalIf = [], returnedIf = [] } = mapping;
  if (!acceptIf.every((condition) => holds(place, condition))) return undefined;
  const amount = readAmount(place, mapping);
  const direction = readDirection(place, mapping, amount);
  if (direction === undefined || /^-?0*(?:\.0*)?$/.test(amount)) return undefined;
  const id = readFirst(place, mapping.id)?.trim();
  if (id === undefined) throw missingError(mapping.id.join(' or '));
  const payerName = readFirst(place, mapping.payerName ?? []);
  const payerAccount = readPayerAccount(place, mapping);
  const paidAt = readPaidAt(place, mapping.paidAt);
  return {
    id,
    accounts: (mapping.accounts ?? []).flatMap((pointers) => readAccount(place, pointers, '')),
    amount: amount.replace(/^[+-]/, ''),
    currency: readCurrency(place, mapping.currency),
    direction,
    reference: readReference(place, mapping),
    ...(payerName !== undefined && {
      payerName: toStorableText(payerName).trim().slice(0, payerNameLengthMax).toWellFormed(),
    }),
    ...(payerAccount !== undefined && { payerAccount }),
    ...(paidAt !== undefined && { paidAt }),
    isReversal: reversalIf.some((condition) => holds(place, condition)),
    isReturned: returnedIf.some((condition) => holds(place, condition)),
  };
}

/** Some senders write large amounts with an exponent, such as 1.0E7. */
function readAmount(place: JsonPlace, { amount: pointer }: FeedMapping): string {
  const text = readFirst(place, [pointer])?.trim();
  if (text === undefined) throw missingError(pointer);
  return /^[+-]?\d+(?:\.\d+)?e[+-]?\d{1,2}$/i.test(text) ? new Decimal(text).toFixed() : text;
}

function readAccount(place: JsonPlace, pointers: readonly string[], separator: string): string[] {
  const texts = pointers.map((pointer) => readFirst(place, [pointer])?.trim());
  return texts.every((text) => text !== undefined) ? [toStorableText(texts.join(separator))] : [];
}

function readPayerAccount(place: JsonPlace, { payerAccount = [] }: FeedMapping): string | undefined {
  return payerAccount
    .flatMap((pointers) => readAccount(place, pointers, ' '))
    .find((account) => account.length <= payerAccountLengthMax && !maskPattern.test(account));
}

function readDirection(
  place: JsonPlace,
  { direction }: FeedMapping,
  amount: string,
): FeedItem['direction'] | undefined {
  if (direction === 'credit') return amount.startsWith('-') ? undefined : 'credit';
  if (direction === 'sign') return amount.startsWith('-') ? 'debit' : 'credit';
  const text = readFirst(place, [direction.pointer])?.trim();
  if (text === undefined) throw missingError(direction.pointer);
  if (direction.credit.includes(text)) return 'credit';
  return direction.debit.includes(text) ? 'debit' : undefined;
}

function readCurrency(place: JsonPlace, currency: FeedMapping['currency']): string {
  if ('value' in currency) return currency.value;
  const code = readFirst(place, [currency.pointer])?.trim();
  if (code === undefined) throw missingError(currency.pointer);
  return currency.codes?.[code] ?? code.toUpperCase();
}

function readPaidAt(
  place: JsonPlace,
  { pointers, format, timeZone }: FeedMapping['paidAt'],
): string | undefined {
  const text = readFirst(place, pointers);
  if (text === undefined) return undefined;
  const time = toIsoTime(text, { format, timeZone });
  if (time === undefined) throw new FeedInputError(`the time at ${pointers.join(' or ')} has another format`);
  return time;
}

function readFirst(place: JsonPlace, pointers: readonly string[]): string | undefined {
  for (const pointer of pointers) {
    const [text] = readTexts(place, pointer, itemLimits);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Joins the texts, except those that an earlier one contains, as when an SMS repeats the payer's text. */
function readReference(place: JsonPlace, { references }: FeedMapping): string {
  let joined = '';
  for (const text of references.values().flatMap((pointer) => readTexts(place, pointer, itemLimits))) {
    if (!joined.includes(text)) joined = joined === '' ? text : `${joined} ${text}`;
    if (joined.length >= referenceLengthMax) break;
  }
  return toStorableText(joined).slice(0, referenceLengthMax);
}

function missingError(pointer: string): FeedInputError {
  return new FeedInputError(`a transfer has nothing at ${pointer}`);
}
