import { codedInfo } from './mt940-coded.ts';
import type { Mt940Info } from './mt940-info.ts';
import type { Mt940Line } from './mt940-line.ts';
import { plainInfo } from './mt940-plain.ts';
import { structuredInfo } from './mt940-structured.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** The statement that contains a movement. `bank` is the text before the file's first field. */
export type Mt940Statement = { reference: string; account: string; currency?: string; bank: string };

/** The lines of a movement's field 86, and the longest line of any field 86 of the file so far. */
type InfoField = { lines: string[]; width: number };

/** An account number as Dutch banks write it into the supplementary details: IBAN, giro or bank number. */
const accountNumber = /^([A-Z]{2}\d{2}[A-Z0-9]{10,30}|P?\d{9,10})$/;

/**
 * Builds an entry from a statement line (field 61) and its field 86. `reference` holds all text the payer may
 * have written: the remittance text and end-to-end ID of field 86, and the owner reference of field 61 if it
 * differs. Some banks put the payer's reference there.
 */
export function mt940Entry(
  { ownerReference, supplement, ...line }: Mt940Line,
  { statement, info }: { statement: Mt940Statement; info: InfoField },
): StatementEntry {
  const { texts, info: bankTexts, counterpartyAccount, ...rest } = readInfo(info, statement);
  const reference = joinTexts(texts) ?? '';
  const isAdditional = ownerReference !== undefined && !reference.includes(ownerReference);
  const account =
    counterpartyAccount ?? (supplement && accountNumber.test(supplement) ? supplement : undefined);
  return withoutUndefined<StatementEntry>({
    kind: 'mt940',
    ...rest,
    ...line,
    returned: line.returned || rest.returned,
    transactionCount: 1,
    reference: joinTexts([reference, isAdditional ? ownerReference : '']) ?? '',
    additionalInfo: joinTexts([...bankTexts, supplement === account ? '' : supplement]),
    counterpartyAccount: account,
    accountId: accountId(statement),
    accountCurrency: statement.currency,
    statementId: withoutPlaceholder(statement.reference),
  });
}

/** Some banks append the currency to the IBAN. */
function accountId({ account, currency }: Mt940Statement): string | undefined {
  const [, iban, code] = /^([A-Z]{2}\d{2}[A-Z0-9]{8,30}?) ?([A-Z]{3})$/.exec(account) ?? [];
  return withoutPlaceholder(iban !== undefined && code === currency ? iban : account);
}

/**
 * Parses field 86, which has three formats: a three-digit code with two-digit subfields (`166?00…?20…`;
 * Germany, Poland, Luxembourg and others), codes between slashes (`/TRTP/…/NAME/…/REMI/…`; Netherlands), or
 * plain text.
 */
function readInfo({ lines, width }: InfoField, { bank }: Mt940Statement): Mt940Info {
  // Some banks start the content on the line after the tag.
  const content = lines.filter((line) => line.trim() !== '');
  return structuredInfo(content, { width }) ?? codedInfo(content, { width }) ?? plainInfo(content, { bank });
}
