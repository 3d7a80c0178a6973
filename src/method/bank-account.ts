import { bankMember, detailsForm, parseForm, readDigits, textMember } from './details.ts';
import type { Scheme } from './scheme.ts';

export type BankAccountDetails = { bankCode: string; account: string; bank: string };

type BankAccountMember = { description: string; example: string };
type BankAccountOptions = {
  description: string;
  bankCode: BankAccountMember;
  /** `min` and `max` are the number of digits. */
  account: BankAccountMember & { min: number; max: number };
  /** An example of a bank name. */
  bank: string;
};

/** Returns the common part of schemes whose accounts have a 3-digit bank code and an account number. */
export function createBankAccountScheme({
  description,
  bankCode,
  account,
  bank,
}: BankAccountOptions): Pick<
  Scheme<BankAccountDetails>,
  'detailsSchema' | 'parseDetails' | 'getAccount' | 'getIdentity' | 'getBank'
> {
  const form = detailsForm(description, {
    bankCode: textMember(bankCode.description, bankCode.example, 20),
    account: textMember(account.description, account.example, 30),
    bank: bankMember(bank),
  });
  return {
    detailsSchema: form,
    parseDetails(input) {
      const details = parseForm(form, input);
      return {
        bankCode: readDigits(details.bankCode, '/bankCode', 3),
        account: readDigits(details.account, '/account', account.min, account.max),
        bank: details.bank,
      };
    },
    getAccount: (details) => `${details.bankCode}-${details.account}`,
    getIdentity: (details) => `${details.bankCode}-${details.account}`,
    getBank: (details) => details.bank,
  };
}
