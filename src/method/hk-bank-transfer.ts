import { type BankAccountDetails, createBankAccountScheme } from './bank-account.ts';
import type { Scheme } from './scheme.ts';

/**
 * A bank account in Hong Kong, which the customer types in. No QR standard covers account numbers; FPS codes identify
 * accounts by FPS ID, mobile number or email address.
 */
export const hkBankTransfer: Scheme<BankAccountDetails> = {
  method: 'hk-bank-transfer',
  ...createBankAccountScheme({
    description: 'Bank account in Hong Kong',
    bankCode: { description: 'Bank code: 3 digits, as used in clearing', example: '004' },
    account: {
      description: 'Account number with branch code: 9 to 12 digits',
      example: '123-456789-001',
      min: 9,
      max: 12,
    },
    bank: 'HSBC',
  }),
  demoDetails: { bankCode: '000', account: '000000000', bank: 'Demo Bank' },
  canCarryReference: () => true,
  qrCode: () => '',
};
