import { Type } from 'typebox';
import {
  bankMember,
  codeMember,
  detailsForm,
  invalidAccountError,
  parseOneForm,
  readDigits,
  stripSeparators,
  textMember,
} from './details.ts';
import { type EmvField, getTemplate, getText } from './emv.ts';
import { toDemoName, writePaymentCode } from './payment-code.ts';
import { readEmv, readNestedTemplate } from './read-emv.ts';
import type { Scheme } from './scheme.ts';

const guid = 'A000000727';
const accountService = 'QRIBFTTA';

/**
 * VietQR, Vietnam: a code from the NAPAS number of the bank or wallet and the account (field 38 `A000000727`). The
 * merchant may provide its wallet's VietQR instead, because wallets seldom publish their NAPAS number.
 */
const forms = {
  bin: detailsForm('Account at a bank or wallet of NAPAS', {
    bin: textMember('NAPAS number (BIN) of the bank or wallet: 6 digits', '970436', 20),
    account: textMember('Account number: up to 19 letters and digits', '0123456789', 40),
    bank: bankMember('Vietcombank'),
  }),
  staticQrCode: detailsForm('VietQR that the bank or wallet shows for the account', {
    staticQrCode: codeMember('Content of the VietQR code', createExampleCode()),
    bank: bankMember('Viettel Money'),
  }),
};

export type ViettelPayDetails = { bin: string; account: string; bank: string };

export const viettelPay: Scheme<ViettelPayDetails> = {
  method: 'viettel-pay',
  detailsSchema: Type.Union(Object.values(forms)),
  // No bank has this number.
  demoDetails: { bin: '000000', account: '0000000000', bank: 'Viettel Money' },

  parseDetails(input) {
    const details = parseOneForm(forms, input);
    if ('staticQrCode' in details) return { ...readVietQr(details.staticQrCode.trim()), bank: details.bank };
    return {
      bin: readDigits(details.bin, '/bin', 6),
      account: readAccount(details.account, '/account'),
      bank: details.bank,
    };
  },

  getAccount: (details) => `${details.bin}-${details.account}`,
  getIdentity: (details) => `${details.bin}-${details.account.toUpperCase()}`,
  getBank: (details) => details.bank,
  canCarryReference: () => true,

  qrCode: (details, payment) =>
    writePaymentCode('viettel-pay', {
      amount: payment.amount,
      receiver: toBeneficiaryField(details),
      name: toDemoName(payment),
      // Field 08 is the purpose, which becomes the transfer's text.
      additional: [['08', payment.paymentReference]],
    }),
};

function toBeneficiaryField(account: { bin: string; account: string }): EmvField {
  const fields: EmvField[] = [
    ['00', account.bin],
    ['01', account.account],
  ];
  return [
    '38',
    [
      ['00', guid],
      ['01', fields],
      ['02', accountService],
    ],
  ];
}

function createExampleCode(): string {
  const account = { bin: '000000', account: '0123456789' };
  return writePaymentCode('viettel-pay', { receiver: toBeneficiaryField(account) });
}

function readAccount(text: string, path: string): string {
  const account = stripSeparators(text);
  if (!/^[A-Za-z0-9]{1,19}$/.test(account))
    throw invalidAccountError(path, 'must be 1 to 19 letters or digits');
  return account;
}

function readVietQr(code: string): { bin: string; account: string } {
  const path = '/staticQrCode';
  const template = getTemplate(readEmv(code, path), '38');
  const nested = template && getText(template, '01');
  if (!nested || getText(template, '00') !== guid)
    throw invalidAccountError(path, `must be a VietQR code, with ${guid} in field 38`);
  if (getText(template, '02') !== accountService)
    throw invalidAccountError(path, 'must pay into an account, not a card');
  const fields = readNestedTemplate(nested, path);
  const bin = getText(fields, '00') ?? '';
  if (!/^\d{6}$/.test(bin))
    throw invalidAccountError(path, 'must contain the 6-digit number of a bank or wallet in field 38-01-00');
  return { bin, account: readAccount(getText(fields, '01') ?? '', path) };
}
