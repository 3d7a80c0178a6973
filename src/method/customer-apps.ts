import type { MethodCode } from './catalog.ts';

/** The labels of the payment apps of a method's country, in the language of those apps. */
type CustomerApps = {
  /** Apps that many customers have; empty if customers use the app of their own bank. */
  apps: string;
  /** The menu entry that starts the payment. */
  menu: string;
  /** The field for the payment reference; undefined if no app has one. */
  referenceField?: string;
  /** The app whose link the QR code contains, if the phone's camera reads the code instead of the payment app. */
  cameraApp?: string;
};

export const customerApps: Record<MethodCode, CustomerApps> = {
  fps: {
    apps: 'HSBC, PayMe, AlipayHK, BOC Pay+, Octopus 八達通',
    menu: 'Scan 掃描',
    referenceField: 'Message to payee 備註',
  },
  'hk-bank-transfer': { apps: '', menu: 'Transfer 轉賬', referenceField: 'Remarks 備註' },
  paynow: {
    apps: 'DBS PayLah!, OCBC, UOB TMRW, GrabPay',
    menu: 'Scan & Pay',
    referenceField: 'Comments / Reference',
  },
  'viettel-pay': {
    apps: 'Vietcombank, MB, Techcombank, MoMo, ZaloPay, Viettel Money',
    menu: 'Quét QR',
    referenceField: 'Nội dung chuyển khoản',
  },
  'duit-now': {
    apps: 'MAE, CIMB OCTO, Touch ’n Go eWallet, Boost',
    menu: 'Scan / DuitNow QR',
    referenceField: 'Recipient Reference',
  },
  instapay: {
    apps: 'GCash, Maya, BDO, BPI, UnionBank',
    menu: 'Scan QR',
    referenceField: 'Notes / Message',
  },
  'prompt-pay': {
    apps: 'K PLUS, SCB EASY, Krungthai NEXT, TrueMoney',
    menu: 'สแกน Scan',
    referenceField: 'บันทึกช่วยจำ Note',
  },
  'in-bank-transfer': {
    apps: 'Google Pay, PhonePe, Paytm, BHIM',
    menu: 'Scan QR',
    referenceField: 'Add a note',
  },
  'gojek-id': {
    apps: 'GoPay, OVO, DANA, ShopeePay, m-banking',
    menu: 'Scan QRIS / Bayar',
  },
  'id-bank-transfer': { apps: '', menu: 'Transfer (BI-FAST)', referenceField: 'Berita / Catatan' },
  'au-bank-transfer': { apps: '', menu: 'Pay someone', referenceField: 'Description / Reference' },
  'nz-bank-transfer': { apps: '', menu: 'Pay someone', referenceField: 'Reference' },
  toss: {
    apps: '토스, 카카오뱅크, KB스타뱅킹',
    menu: '송금 · 이체',
    referenceField: '받는 분 통장 표시',
    cameraApp: 'Toss 토스',
  },
};

/**
 * Returns whether payment apps scan a QR code of the method. The code of Toss is a link for the phone's camera.
 */
export function hasQrCode(method: MethodCode): boolean {
  const { apps, cameraApp } = customerApps[method];
  return apps !== '' && cameraApp === undefined;
}

/** An app that opens a payment; without a name, any other app that accepts the link. */
export type AppLink = { name?: string; url: string };

/** The prefixes that replace `upi://pay` in links that open one of these apps, as the apps publish them. */
const upiApps = [
  { name: 'Google Pay', prefix: 'gpay://upi/pay' },
  { name: 'PhonePe', prefix: 'phonepe://pay' },
  { name: 'Paytm', prefix: 'paytmmp://pay' },
];

/** Returns the apps that open the payment on the same phone, by the method's deep link. */
export function getAppLinks(method: MethodCode, deepLink: string | undefined): AppLink[] {
  if (deepLink === undefined) return [];
  if (method === 'toss') return [{ name: 'Toss 토스', url: deepLink }];
  const named = upiApps.map(({ name, prefix }) => ({ name, url: deepLink.replace('upi://pay', prefix) }));
  return [...named, { url: deepLink }];
}
