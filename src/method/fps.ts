import { Type } from 'typebox';
import {
  bankMember,
  detailsForm,
  invalidAccountError,
  parseOneForm,
  readDigits,
  readEmailAddress,
  readMobile,
  stripSeparators,
  textMember,
} from './details.ts';
import { writePaymentCode } from './payment-code.ts';
import { type Scheme, toCodeName } from './scheme.ts';

const bankCode = Type.Optional(
  textMember('Bank code: 3 digits, as used in clearing, of the bank to which customers pay', '004', 20),
);
const bank = Type.Optional(bankMember('HSBC'));

const forms = {
  fpsId: detailsForm('Payment by FPS ID', {
    fpsId: textMember('FPS identifier: 7 or 9 digits', '1234567', 30),
    bank,
  }),
  mobile: detailsForm('Payment by mobile number', {
    mobile: textMember('Hong Kong mobile number registered for FPS', '+852 5123 4567', 30),
    bankCode,
    bank,
  }),
  email: detailsForm('Payment by email address', {
    email: textMember('Email address registered for FPS', 'pay@example.com', 100),
    bankCode,
    bank,
  }),
};

export type FpsDetails =
  | { fpsId: string; bank?: string }
  | { mobile: string; bankCode?: string; bank?: string }
  | { email: string; bankCode?: string; bank?: string };

/**
 * FPS, Hong Kong: a code from the account's FPS ID, mobile number or email address (HKICL, Payee-presented QR
 * Code Specification for FPS: field 26 `hk.com.hkicl`). Several banks may have registered a mobile number or
 * email address; `bankCode` selects one of them.
 */
export const fps: Scheme<FpsDetails> = {
  method: 'fps',
  detailsSchema: Type.Union(Object.values(forms)),
  demoDetails: { email: 'demo@example.com' },

  parseDetails(input) {
    const details = parseOneForm(forms, input);
    if ('fpsId' in details) {
      const fpsId = stripSeparators(details.fpsId);
      if (!/^(?:\d{7}|\d{9})$/.test(fpsId)) throw invalidAccountError('/fpsId', 'must be 7 or 9 digits');
      return { ...details, fpsId };
    }
    const bankCodeMember = details.bankCode !== undefined && {
      bankCode: readDigits(details.bankCode, '/bankCode', 3),
    };
    if ('mobile' in details)
      return { ...details, mobile: readMobile(details.mobile, '/mobile', 'HK'), ...bankCodeMember };
    return { ...details, email: readEmailAddress(details.email, '/email', 64), ...bankCodeMember };
  },

  getAccount(details) {
    if ('fpsId' in details) return details.fpsId;
    return 'mobile' in details ? details.mobile : details.email;
  },

  /** Includes the bank code, because two banks may have registered the same mobile number or email address. */
  getIdentity(details) {
    const [proxyType, value] = toProxyField(details);
    const bankCode = 'bankCode' in details ? details.bankCode : undefined;
    return [proxyType, value.toLowerCase(), ...(bankCode ? [bankCode] : [])].join(' ');
  },

  getBank: (details) => details.bank ?? 'FPS',

  canCarryReference: () => true,

  qrCode(details, payment) {
    const bankCodeField =
      'bankCode' in details && details.bankCode !== undefined ? [['01', details.bankCode] as const] : [];
    return writePaymentCode('fps', {
      amount: payment.amount,
      receiver: ['26', [['00', 'hk.com.hkicl'], ...bankCodeField, toProxyField(details)]],
      category: '0000',
      name: toCodeName(payment),
      city: 'HK',
      additional: [['05', payment.paymentReference]],
    });
  },
};

function toProxyField(details: FpsDetails): readonly [string, string] {
  if ('fpsId' in details) return ['02', details.fpsId];
  if ('mobile' in details) return ['03', details.mobile.replace('+852', '+852-')];
  return ['04', details.email];
}
