import { parseCodedInfo } from './mt940-coded.ts';
import type { Mt940Info } from './mt940-info.ts';
import type { Mt940Line } from './mt940-line.ts';
import { parsePlainInfo } from './mt940-plain.ts';
import { joinSubfields, parseStructuredInfo } from './mt940-structured.ts';
import { collapseSpaces, type WrappedLine } from './mt940-wrap.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, selectOtherTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** The statement that contains a movement. `header` is the text before the first field of the file. */
export type Mt940Statement = {
  kind: 'mt940' | 'mt942';
  reference: string;
  account: string;
  currency?: string;
  header: string;
};

/** The lines of a movement's field 86, the width at which they are wrapped, and the lines of its field NS. */
type InfoField = { lines: WrappedLine[]; width: number; nsLines: string[] };

/** Matches an account number as Dutch banks write it into the supplementary details: IBAN, giro or bank number. */
const accountNumberPattern = /^([A-Z]{2}\d{2}[A-Z0-9]{10,30}|P?\d{9,10})$/;

/**
 * Builds an entry from a statement line (field 61) and its field 86. `reference` holds all text the payer may have
 * written: the remittance text and end-to-end ID of field 86, and the owner reference of field 61 if it differs,
 * because some banks put the payer's reference there. The entries of an interim report (MT942) are provisional.
 */
export function toMt940Entry(
  { ownerReference, supplement, ...line }: Mt940Line,
  { statement, info }: { statement: Mt940Statement; info: InfoField },
): StatementEntry {
  const { texts, info: bankTexts, others, counterpartyAccount, ...rest } = readInfo(info, statement);
  const reference = joinTexts(texts) ?? '';
  const isAdditional = ownerReference !== undefined && !reference.includes(ownerReference);
  const account =
    counterpartyAccount ?? (supplement && accountNumberPattern.test(supplement) ? supplement : undefined);
  const fullReference = joinTexts([reference, isAdditional ? ownerReference : '']) ?? '';
  const additionalInfo = joinTexts([...bankTexts, supplement === account ? '' : supplement]);
  // A bank may split a field anywhere, so its lines are also searched without a space between them.
  const wholeField = info.lines.map(({ text }) => text).join('');
  const otherTexts = [...others, rest.counterpartyName, line.bankReference, account, supplement, wholeField];
  return withoutUndefined<StatementEntry>({
    kind: statement.kind,
    ...rest,
    ...line,
    status: line.status === 'booked' && statement.kind === 'mt942' ? 'provisional' : line.status,
    isReturned: line.isReturned || rest.isReturned,
    transactionCount: 1,
    reference: fullReference,
    additionalInfo,
    otherTexts: selectOtherTexts(otherTexts.map(withoutPlaceholder), [fullReference, additionalInfo]),
    counterpartyAccount: account,
    ...getMt940Account(statement),
  });
}

/** Returns the account and the statement. Removes the currency that some banks append to the IBAN. */
export function getMt940Account({
  account,
  currency,
  reference,
}: Mt940Statement): Pick<StatementEntry, 'accountId' | 'accountCurrency' | 'statementId'> {
  const [, iban, code] = /^([A-Z]{2}\d{2}[A-Z0-9]{8,30}?) ?([A-Z]{3})$/.exec(account) ?? [];
  return withoutUndefined<Pick<StatementEntry, 'accountId' | 'accountCurrency' | 'statementId'>>({
    accountId: withoutPlaceholder(iban !== undefined && code === currency ? iban : account),
    accountCurrency: currency,
    statementId: withoutPlaceholder(reference),
  });
}

/**
 * Parses field 86, which has three formats: a three-digit code with two-digit subfields (`166?00…?20…`;
 * Germany, Poland, Luxembourg and others), codes between slashes (`/TRTP/…/NAME/…/REMI/…`; Netherlands), or
 * plain text. Some banks write field NS in addition or instead.
 */
function readInfo({ lines, width, nsLines }: InfoField, { header }: Mt940Statement): Mt940Info {
  // Some banks start the content on the line after the tag.
  const content = lines.filter(({ text }) => text.trim() !== '');
  const info =
    parseStructuredInfo(content, { width }) ??
    parseCodedInfo(content, { width }) ??
    parsePlainInfo(content, { header });
  if (nsLines.length === 0) return info;
  const ns = parseNsInfo(nsLines);
  return {
    ...ns,
    ...info,
    texts: [...info.texts, ...ns.texts],
    info: [...info.info, ...ns.info],
    others: [...info.others, ...ns.others],
  };
}

/**
 * Parses field NS, in which some German, Hungarian and Polish banks write the text of a movement: one subfield a line,
 * which begins with its two digits. 01 to 14 are the remittance text, 15 and 16 the other party, 17 the bank's text,
 * and 34 the account.
 */
function parseNsInfo(lines: string[]): Mt940Info {
  const subfields = lines
    .map((line) => /^(\d\d)(.*)$/.exec(line) ?? ['', '', line])
    .map(([, tag = '', value = '']) => ({ tag, value }));
  const values = (pattern: RegExp) =>
    subfields.filter(({ tag }) => pattern.test(tag)).map(({ value }) => value);
  const text = collapseSpaces(joinSubfields(values(/^(0[1-9]|1[0-4])$/)));
  return withoutUndefined<Mt940Info>({
    texts: text === '' ? [] : [text],
    info: values(/^17$/).map(collapseSpaces).filter(Boolean),
    others: values(/^(?!0[1-9]|1[0-7])/).map(collapseSpaces),
    counterpartyName: withoutPlaceholder(collapseSpaces(joinSubfields(values(/^1[56]$/)))),
    counterpartyAccount: withoutPlaceholder(values(/^34$/)[0]?.replace(/\s/g, '')),
    isReturned: false,
  });
}
