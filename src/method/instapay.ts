import { Type } from 'typebox';
import {
  type BaseCodeRule,
  canFitReference,
  fillBaseCode,
  getSchemeTemplate,
  readBaseCode,
} from './base-code.ts';
import {
  bankMember,
  codeMember,
  detailsForm,
  invalidAccountError,
  parseOneForm,
  readMobile,
  stripSeparators,
  textMember,
} from './details.ts';
import { type EmvField, getText } from './emv.ts';
import { writePaymentCode } from './payment-code.ts';
import { demoName, formatCodeAmount, type PaymentCodeInput, type Scheme, toCodeName } from './scheme.ts';

const p2pGuid = 'com.p2pqrpay';
const p2pAcquirer = '99964403';
const p2mRule: BaseCodeRule = {
  method: 'instapay',
  path: '/staticQrCode',
  name: 'QR Ph code for merchants',
  templateId: '28',
  guid: 'ph.ppmi.p2m',
};

/**
 * QR Ph over InstaPay, the Philippines. A person-to-person code is generated from BIC and account (field
 * 27 `com.p2pqrpay`). The acquirer issues the IDs of a merchant code (field 28 `ph.ppmi.p2m`), so the
 * merchant provides its own code.
 */
const forms = {
  bic: detailsForm('Account at a bank or wallet of InstaPay', {
    bic: textMember('BIC of the bank or wallet: 8 or 11 characters', 'GXCHPHM2XXX', 20),
    account: textMember('Account number: up to 19 letters and digits', '001234567890', 40),
    mobile: Type.Optional(textMember('Mobile number of the account, if it has one', '+63 917 123 4567', 30)),
    bank: bankMember('GCash'),
  }),
  staticQrCode: detailsForm('Static QR Ph of the merchant', {
    staticQrCode: codeMember(
      'Content of the static QR Ph code that your acquirer issued',
      createExampleCode(),
    ),
    account: Type.Optional(
      textMember('Account or merchant number to show beside the QR code', '001234567890', 40),
    ),
    bank: Type.Optional(bankMember('Maya')),
  }),
};

type InstaPayAccount = { bic: string; account: string; mobile?: string; bank: string };
export type InstaPayDetails = InstaPayAccount | { staticQrCode: string; account?: string; bank?: string };

export const instapay: Scheme<InstaPayDetails> = {
  method: 'instapay',
  detailsSchema: Type.Union(Object.values(forms)),
  demoDetails: { bic: 'DEMOPHM2XXX', account: '000000000000', bank: 'Demo Bank' },

  parseDetails(input) {
    const details = parseOneForm(forms, input);
    if ('staticQrCode' in details) {
      const staticQrCode = details.staticQrCode.trim();
      checkMerchantTemplate(getSchemeTemplate(readBaseCode(staticQrCode, p2mRule), p2mRule));
      return { ...details, staticQrCode };
    }
    const mobile = details.mobile !== undefined && { mobile: readMobile(details.mobile, '/mobile', 'PH') };
    return { ...details, bic: readBic(details.bic), account: readAccount(details.account), ...mobile };
  },

  getAccount(details) {
    if ('bic' in details) return `${details.bic}-${details.account}`;
    const template = getSchemeTemplate(readBaseCode(details.staticQrCode, p2mRule), p2mRule);
    return details.account ?? getText(template, '04') ?? getText(template, '03') ?? '';
  },

  /** Returns, for a merchant's code, the acquirer, the merchant ID and, if present, the merchant's account. */
  getIdentity(details) {
    if ('bic' in details) return `${details.bic}-${details.account.toUpperCase()}`;
    const template = getSchemeTemplate(readBaseCode(details.staticQrCode, p2mRule), p2mRule);
    return JSON.stringify(['01', '03', '04'].map((id) => getText(template, id)));
  },

  getBank: (details) => details.bank ?? 'QR Ph',

  canCarryReference: (details) =>
    'bic' in details || canFitReference(readBaseCode(details.staticQrCode, p2mRule)),

  qrCode(details, payment) {
    if ('bic' in details) return writeAccountCode(details, payment);
    return fillBaseCode(readBaseCode(details.staticQrCode, p2mRule), {
      amount: formatCodeAmount('instapay', payment.amount),
      reference: payment.paymentReference,
      demo: payment.demo,
    });
  },
};

function writeAccountCode(details: InstaPayAccount, payment: PaymentCodeInput): string {
  const mobile: EmvField[] =
    details.mobile === undefined ? [] : [['05', details.mobile.replace('+63', '+63-')]];
  return writePaymentCode('instapay', {
    amount: payment.amount,
    receiver: [
      '27',
      [['00', p2pGuid], ['01', details.bic], ['02', p2pAcquirer], ['04', details.account], ...mobile],
    ],
    category: '6016',
    name: toCodeName(payment),
    city: 'Manila',
    additional: [
      ['00', p2pGuid],
      ['05', payment.paymentReference],
    ],
  });
}

/** Reads a BIC (ISO 9362) of country PH. Adds the branch code `XXX`, because QR Ph requires 11 characters. */
function readBic(text: string): string {
  const bic = stripSeparators(text).toUpperCase();
  if (!/^[A-Z0-9]{4}PH[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic)) {
    throw invalidAccountError('/bic', 'must be a BIC of 8 or 11 characters with the country code PH');
  }
  return bic.padEnd(11, 'X');
}

function readAccount(text: string): string {
  const account = stripSeparators(text);
  if (!/^[A-Za-z0-9]{4,19}$/.test(account))
    throw invalidAccountError('/account', 'must be 4 to 19 letters or digits');
  return account;
}

function checkMerchantTemplate(template: readonly EmvField[]): void {
  if (!/^[A-Z0-9]{8}([A-Z0-9]{3})?$/.test(getText(template, '01') ?? '')) {
    throw invalidAccountError('/staticQrCode', 'must contain the BIC of its acquirer in field 28-01');
  }
  if (getText(template, '03') === undefined)
    throw invalidAccountError('/staticQrCode', 'must contain a merchant ID in field 28-03');
}

function createExampleCode(): string {
  const ids: EmvField[] = [
    ['00', p2mRule.guid],
    ['01', 'DEMOPHM2XXX'],
    ['03', '000000000'],
    ['05', '000'],
  ];
  return writePaymentCode('instapay', {
    receiver: [p2mRule.templateId, ids],
    category: '0000',
    name: demoName,
    city: 'Manila',
  });
}
