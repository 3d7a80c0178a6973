import { bankMember, detailsForm, readDigits, readForm, textMember } from './details.ts';
import type { Scheme } from './scheme.ts';

export type BankAccountDetails = { bankCode: string; account: string; bank: string };

type Member = { description: string; example: string };
type BankAccounts = {
  description: string;
  bankCode: Member;
  /** A number of so many digits. */
  account: Member & { min: number; max: number };
  /** An example of a bank's name. */
  bank: string;
};

/** What is alike of accounts that their banks know by a code of 3 digits and a number. */
export function bankAccounts({
  description,
  bankCode,
  account,
  bank,
}: BankAccounts): Pick<
  Scheme<BankAccountDetails>,
  'detailsSchema' | 'parseDetails' | 'accountOf' | 'identityOf' | 'bankOf'
> {
  const form = detailsForm(description, {
    bankCode: textMember(bankCode.description, bankCode.example, 20),
    account: textMember(account.description, account.example, 30),
    bank: bankMember(bank),
  });
  return {
    detailsSchema: form,
    parseDetails(input) {
      const details = readForm(form, input);
      return {
        bankCode: readDigits(details.bankCode, '/bankCode', 3),
        account: readDigits(details.account, '/account', account.min, account.max),
        bank: details.bank,
      };
    },
    accountOf: (details) => `${details.bankCode}-${details.account}`,
    identityOf: (details) => `${details.bankCode}-${details.account}`,
    bankOf: (details) => details.bank,
  };
}
