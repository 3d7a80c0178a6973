import { parseCodedInfo } from './mt940-coded.ts';
import type { Mt940Info } from './mt940-info.ts';
import type { Mt940Line } from './mt940-line.ts';
import { parsePlainInfo } from './mt940-plain.ts';
import { parseStructuredInfo } from './mt940-structured.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** The statement that contains a movement. `header` is the text before the first field of the file. */
export type Mt940Statement = { reference: string; account: string; currency?: string; header: string };

/** The lines of a movement's field 86. `width` is the length of the longest line of all fields 86 so far. */
type InfoField = { lines: string[]; width: number };

/** Matches an account number as Dutch banks write it into the supplementary details: IBAN, giro or bank number. */
const accountNumberPattern = /^([A-Z]{2}\d{2}[A-Z0-9]{10,30}|P?\d{9,10})$/;

/**
 * Builds an entry from a statement line (field 61) and its field 86. `reference` holds all text the payer may have
 * written: the remittance text and end-to-end ID of field 86, and the owner reference of field 61 if it differs,
 * because some banks put the payer's reference there.
 */
export function toMt940Entry(
  { ownerReference, supplement, ...line }: Mt940Line,
  { statement, info }: { statement: Mt940Statement; info: InfoField },
): StatementEntry {
  const { texts, info: bankTexts, counterpartyAccount, ...rest } = readInfo(info, statement);
  const reference = joinTexts(texts) ?? '';
  const isAdditional = ownerReference !== undefined && !reference.includes(ownerReference);
  const account =
    counterpartyAccount ?? (supplement && accountNumberPattern.test(supplement) ? supplement : undefined);
  return withoutUndefined<StatementEntry>({
    kind: 'mt940',
    ...rest,
    ...line,
    isReturned: line.isReturned || rest.isReturned,
    transactionCount: 1,
    reference: joinTexts([reference, isAdditional ? ownerReference : '']) ?? '',
    additionalInfo: joinTexts([...bankTexts, supplement === account ? '' : supplement]),
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
 * plain text.
 */
function readInfo({ lines, width }: InfoField, { header }: Mt940Statement): Mt940Info {
  // Some banks start the content on the line after the tag.
  const content = lines.filter((line) => line.trim() !== '');
  return (
    parseStructuredInfo(content, { width }) ??
    parseCodedInfo(content, { width }) ??
    parsePlainInfo(content, { header })
  );
}
