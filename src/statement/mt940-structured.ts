import type { Mt940Info } from './mt940-info.ts';
import { collapseSpaces, joinWrappedLines, type WrappedLine } from './mt940-wrap.ts';
import { joinTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** German codes for returned payments: direct debit and transfer, domestic and SEPA. */
const returnCodes = ['059', '108', '109', '159'];

/** Subfields with the payer's text, in order: 20 to 29, then 60 to 63. */
const remittanceSubfields = /^(2\d|6[0-3])$/;

/** Subfields that are read individually; the others are joined as the bank's text. */
const handledSubfields = /^(00|1\d|2\d|3[0-4]|38|6[0-3])$/;

/** The width of a remittance subfield and of each half of the name. */
const subfieldWidth = 27;

/** SEPA keywords within the remittance text. They end with `+` or, only at the start of a subfield, with a colon. */
const sepaKeywords = 'EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|MTLG';
const keywordAtStart = new RegExp(`^(?:${sepaKeywords})[+:]`);
const keywordPattern = new RegExp(`(?:^|\\n)(${sepaKeywords})[+:]|(?<=\\s)(${sepaKeywords})\\+`);

/** Matches the three-digit code and the separator. Without the code, the text must look like subfields. */
const openingPattern = /^(?:\d{3}([?<>^~|@!#$&*])(?=\d\d)|([?<>^~|])(?=[0-2]0.*\2\d\d))/;

/**
 * Parses the German convention (DFÜ-Abkommen, annex 3, chapter 8), also used in other countries. The format is a
 * three-digit code, which some Polish banks omit, a separator, and subfields that each start with the separator and two
 * digits. Returns undefined for other formats.
 */
export function parseStructuredInfo(
  lines: WrappedLine[],
  { width }: { width: number },
): Mt940Info | undefined {
  const opening = openingPattern.exec(joinWrappedLines(lines, { width }).trimStart());
  const separator = opening?.[1] ?? opening?.[2];
  if (separator === undefined) return undefined;
  const text = joinSubfieldLines(lines, { width, separator }).trimStart();
  const code = /^\d{3}/.exec(text)?.[0] ?? '';
  const subfields = text
    .slice(code.length)
    .split(new RegExp(`\\${separator}(?=\\d\\d)`))
    .slice(1)
    .map((part) => ({ tag: part.slice(0, 2), value: part.slice(2) }));
  const values = (tagPattern: RegExp) =>
    subfields.filter(({ tag }) => tagPattern.test(tag)).map(({ value }) => value);
  const others = subfields.filter(({ tag }) => !handledSubfields.test(tag)).map(({ value }) => value);
  const parts = splitKeywords(joinSubfields(values(remittanceSubfields)));
  const account =
    withoutPlaceholder(values(/^38$/)[0]?.replace(/\s/g, '')) ??
    withoutPlaceholder(values(/^31$/)[0]?.replace(/\s/g, ''));
  const reason = joinTexts([withoutPlaceholder(values(/^34$/)[0]?.trim()), parts.other]);
  const isReturned = returnCodes.includes(code);
  return withoutUndefined<Mt940Info>({
    ...parts.ids,
    texts: parts.texts,
    info: [...values(/^00$/), parts.other ?? '', joinSubfields(others)]
      .map(collapseSpaces)
      .filter((text) => text !== ''),
    others: [...parts.others, ...values(/^(1\d|3[0-4]|38)$/).map(collapseSpaces)],
    counterpartyName: withoutPlaceholder(collapseSpaces(joinSubfields(values(/^3[23]$/)))),
    counterpartyAccount: account,
    isReturned,
    returnReason: isReturned ? reason : undefined,
  });
}

/** Joins lines. A line may end between the separator and the digits of a subfield. */
function joinSubfieldLines(
  lines: WrappedLine[],
  { width, separator }: { width: number; separator: string },
): string {
  const cutMark = new RegExp(`\\${separator}\\d?$`);
  const isCut = (text: string, next: string) => cutMark.test(text) && /^\d/.test(next);
  return joinWrappedLines(lines, { width, isCut });
}

/** Joins subfields. The text of a full subfield continues in the next one, unless that begins with a SEPA keyword. */
export function joinSubfields(values: string[]): string {
  return values.reduce((text, next, index) => {
    if (index === 0) return next;
    if (keywordAtStart.test(next)) return `${text}\n${next}`;
    const isCut = values[index - 1]!.length === subfieldWidth || next.startsWith(' ') || text.endsWith(' ');
    return isCut ? text + next : `${text} ${next}`;
  }, '');
}

type KeywordParts = {
  texts: string[];
  ids: Pick<Mt940Info, 'endToEndId' | 'instructionId' | 'mandateId'>;
  /** The values of keywords other than those of the payer's text, IDs and bank. */
  other: string | undefined;
  /** The values of all keywords. */
  others: string[];
};

/**
 * Splits a remittance text at SEPA keywords. The payer's text is the part before the first keyword, the value of
 * `SVWZ`, and the end-to-end ID.
 */
export function splitKeywords(text: string): KeywordParts {
  const pieces = text.split(keywordPattern).filter((piece) => piece !== undefined);
  const valuesByKeyword = new Map<string, string>();
  for (let at = 1; at < pieces.length; at += 2) {
    const value = collapseSpaces(pieces[at + 1] ?? '');
    valuesByKeyword.set(pieces[at]!, collapseSpaces(`${valuesByKeyword.get(pieces[at]!) ?? ''} ${value}`));
  }
  const endToEndId = withoutPlaceholder(valuesByKeyword.get('EREF'));
  const texts = [collapseSpaces(pieces[0] ?? ''), valuesByKeyword.get('SVWZ') ?? ''].filter(
    (text) => text !== '',
  );
  if (endToEndId !== undefined && !texts.some((text) => text.includes(endToEndId))) texts.push(endToEndId);
  const others = [...valuesByKeyword].filter(
    ([name]) => !['SVWZ', 'EREF', 'KREF', 'MREF', 'CRED', 'BIC'].includes(name),
  );
  return {
    texts,
    ids: withoutUndefined<KeywordParts['ids']>({
      endToEndId,
      instructionId: withoutPlaceholder(valuesByKeyword.get('KREF')),
      mandateId: withoutPlaceholder(valuesByKeyword.get('MREF')),
    }),
    other: joinTexts(others.map(([, value]) => value)),
    others: [...valuesByKeyword.values()],
  };
}
