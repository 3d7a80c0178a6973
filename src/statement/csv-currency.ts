import { isCurrencyCode } from '../kit/currency.ts';

/** Names and signs of currencies that banks write instead of the ISO 4217 code. */
const codeByName: Record<string, string> = {
  人民币: 'CNY',
  人民幣: 'CNY',
  RMB: 'CNY',
  港币: 'HKD',
  港幣: 'HKD',
  港元: 'HKD',
  HK$: 'HKD',
  美元: 'USD',
  US$: 'USD',
  台幣: 'TWD',
  臺幣: 'TWD',
  新臺幣: 'TWD',
  新台幣: 'TWD',
  NT$: 'TWD',
  日元: 'JPY',
  日圓: 'JPY',
  欧元: 'EUR',
  歐元: 'EUR',
  S$: 'SGD',
  A$: 'AUD',
  NZ$: 'NZD',
  RM: 'MYR',
  RP: 'IDR',
  원: 'KRW',
  บาท: 'THB',
  VNĐ: 'VND',
};

/** Returns the ISO 4217 code of a cell such as `HKD` or `人民币`; the text in upper case if it is neither. */
export function toCurrencyCode(cell: string): string {
  const text = cell.normalize('NFKC').trim().toUpperCase();
  return codeByName[text] ?? text;
}

export function isCurrencyCell(cell: string): boolean {
  return isCurrencyCode(toCurrencyCode(cell));
}
