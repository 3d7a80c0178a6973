import { checkDayRange } from '../../../kit/check-day-range.ts';
import { isCurrencyCode } from '../../../kit/currency.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { unsupportedCurrencyError } from '../../../kit/money.ts';
import { checkNonEmpty } from '../../../kit/text.ts';
import type { JournalAccount } from '../../money-in/books/postings-sql.ts';
import { defaultXeroCodes } from './default-xero-codes.ts';
import type { ExportRequest } from './export-request.ts';

/** The settings of a journal for Xero. */
type XeroInput = {
  currency: string;
  /** The full name of the tax rate in Xero. */
  taxRateName?: string | null | undefined;
  accountCodes?: readonly { account: JournalAccount; code: string }[] | null | undefined;
};

export type JournalInput = { from: string; to: string; xero?: XeroInput | null | undefined };

const codeLengthMax = 10;
const taxRateNameLengthMax = 50;

/** Validates the request of a journal. Throws `invalid_request` or `currency_unsupported`. */
export function parseJournalRequest(
  input: JournalInput & { includeByteOrderMark: boolean },
): Extract<ExportRequest, { kind: 'journal' }> {
  const { from, to, xero, includeByteOrderMark } = input;
  checkDayRange({ from, to });
  const request = { kind: 'journal' as const, from, to, includeByteOrderMark };
  if (!xero) return { ...request, format: 'csv' };
  const { currency, taxRateName = null } = xero;
  if (!isCurrencyCode(currency)) throw unsupportedCurrencyError(currency);
  const codes = (xero.accountCodes ?? []).map(({ account, code }, i) => [
    account,
    checkNonEmpty(code, `/xero/accountCodes/${i}/code`, { max: codeLengthMax }),
  ]);
  const accountCodes = {
    ...(defaultXeroCodes satisfies Record<Exclude<JournalAccount, 'bank'>, string>),
    ...(Object.fromEntries(codes) as Record<JournalAccount, string>),
  };
  if (new Set(codes.map(([account]) => account)).size < codes.length)
    throw invalidInputError('/xero/accountCodes', 'must have each account at most once');
  if (!('bank' in accountCodes)) throw invalidInputError('/xero/accountCodes', 'must have a code for bank');
  return {
    ...request,
    format: 'xero',
    currency,
    taxRateName: checkNonEmpty(taxRateName ?? 'Tax Exempt', '/xero/taxRateName', {
      max: taxRateNameLengthMax,
    }),
    accountCodes,
  };
}
