import { codedInfo } from './mt940-coded.ts';
import type { Mt940Info } from './mt940-info.ts';
import type { Mt940Line } from './mt940-line.ts';
import { plainInfo } from './mt940-plain.ts';
import { structuredInfo } from './mt940-structured.ts';
import type { StatementEntry } from './statement-entry.ts';
import { joinTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** The statement a movement stands in. `bank` is what a bank writes before its first field. */
export type Mt940Statement = { reference: string; account: string; currency?: string; bank: string };

/** Field 86 of a movement: its lines, and the longest line of any such field of the file so far. */
type InfoField = { lines: string[]; width: number };

/** Numbers of accounts as Dutch banks write them alone into the supplementary details: IBAN, or giro and bank number. */
const accountNumber = /^([A-Z]{2}\d{2}[A-Z0-9]{10,30}|P?\d{9,10})$/;

/**
 * One entry of its statement line (field 61) and the lines of its field 86. The reference holds what the payer can
 * have written: the remittance text and the end-to-end id of field 86, and, where it adds something, the reference
 * for the account owner of field 61, into which some banks put the payer's.
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

/** Some banks write the currency behind the IBAN. */
function accountId({ account, currency }: Mt940Statement): string | undefined {
  const [, iban, code] = /^([A-Z]{2}\d{2}[A-Z0-9]{8,30}?) ?([A-Z]{3})$/.exec(account) ?? [];
  return withoutPlaceholder(iban !== undefined && code === currency ? iban : account);
}

/**
 * Reads field 86, for which every country has its own custom: a three-digit code and two-digit subfields
 * (`166?00…?20…`, Germany, Poland, Luxembourg and others), codes between slashes (`/TRTP/…/NAME/…/REMI/…`,
 * Netherlands), or plain text.
 */
function readInfo({ lines, width }: InfoField, { bank }: Mt940Statement): Mt940Info {
  // Some banks begin the content on the line after the tag.
  const content = lines.filter((line) => line.trim() !== '');
  return structuredInfo(content, { width }) ?? codedInfo(content, { width }) ?? plainInfo(content, { bank });
}
