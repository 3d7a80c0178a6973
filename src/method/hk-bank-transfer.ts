import { type BankAccountDetails, createBankAccountScheme } from './bank-account.ts';
import { invalidAccountError } from './details.ts';
import type { Scheme } from './scheme.ts';

const digitsMin = 9;

const bankAccount = createBankAccountScheme({
  description: 'Bank account in Hong Kong',
  bankCode: { description: 'Bank code: 3 digits, as used in clearing', example: '004' },
  account: {
    description: 'Account number with branch code: 9 to 12 digits',
    example: '123-456789-001',
    min: digitsMin,
    max: 12,
  },
  bank: 'HSBC',
});

/**
 * Rejects an account number after its bank code, as cards and apps show it. A branch code can equal the bank code; it
 * is recognized by the usual grouping, such as `004-123456-001`.
 */
function rejectBankCode(text: string, { bankCode, account }: BankAccountDetails): void {
  const rest = account.slice(bankCode.length);
  if (!account.startsWith(bankCode) || rest.length < digitsMin) return;
  if (/^\d{3}\D+\d{6}\D+\d{3}$/.test(text.trim())) return;
  throw invalidAccountError(
    '/account',
    `must not begin with the bank code ${bankCode}; if ${bankCode} is the branch code, enter ${bankCode}-${rest.slice(0, 6)}-${rest.slice(6)}`,
  );
}

/**
 * A bank account in Hong Kong, which the customer types in. No QR standard covers account numbers; FPS codes identify
 * accounts by FPS ID, mobile number or email address.
 */
export const hkBankTransfer: Scheme<BankAccountDetails> = {
  method: 'hk-bank-transfer',
  ...bankAccount,
  parseDetails(input) {
    const details = bankAccount.parseDetails(input);
    rejectBankCode((input as BankAccountDetails).account, details);
    return details;
  },
  demoDetails: { bankCode: '000', account: '000000000', bank: 'Demo Bank' },
  canCarryReference: () => true,
  qrCode: () => '',
};
