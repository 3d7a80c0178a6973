import { type BankAccountDetails, createBankAccountScheme } from './bank-account.ts';
import type { Scheme } from './scheme.ts';

/**
 * A bank account in Indonesia, which the customer types in. No QR standard covers account numbers; QRIS codes identify
 * merchants.
 */
export const idBankTransfer: Scheme<BankAccountDetails> = {
  method: 'id-bank-transfer',
  ...createBankAccountScheme({
    description: 'Bank account in Indonesia',
    bankCode: { description: 'Bank code: 3 digits, as used in clearing', example: '014' },
    account: {
      description: 'Account number: 8 to 16 digits',
      example: '0123456789',
      min: 8,
      max: 16,
    },
    bank: 'BCA',
  }),
  demoDetails: { bankCode: '000', account: '0000000000', bank: 'Demo Bank' },
  canCarryReference: () => true,
  qrCode: () => '',
};
