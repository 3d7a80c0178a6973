import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import { readCsvText, shortOf } from './csv-text.ts';

const fixture = (name: string) => readFile(new URL(`../fixtures/statements/csv/${name}`, import.meta.url));

/** As the mapping is guessed, unless it is changed. */
async function read(name: string, currency: string, change: Partial<CsvMapping> = {}) {
  const content = await fixture(name);
  const mapping = { ...(await guessCsvMapping(content, { currency })), ...change };
  return (await readCsvText(content, { mapping, currency })).map(shortOf);
}

describe('exports of banks are read right, as the mapping is guessed from them', () => {
  test('hk-business.csv', async () => {
    expect(await read('hk-business.csv', 'HKD')).toEqual([
      [6, '2026-11-18', '128050 HKD', 'FPS/CHAN TAI MAN TIGER2345 FRN20261118PAYC0101'],
      [9, '2026-11-19', '-3500 HKD', 'CHARGES, "PRIORITY"'],
      [10, '2026-11-20', '8800 HKD', 'HONEY6789 LEE SIU MING'],
    ]);
  });

  test('sg-single-column.csv', async () => {
    expect(await read('sg-single-column.csv', 'SGD')).toEqual([
      [2, '2026-11-20', '1250 SGD', 'PAYNOW OTHR TIGER2345', 'FT26324A0001'],
      [3, '2026-11-20', '-120000 SGD', 'GIRO RENT', 'FT26324A0002'],
      [4, '2026-11-21', '700 SGD', 'PAYNOW HONEY6789', 'FT26325A0003'],
    ]);
  });

  test('cn-gb18030.csv', async () => {
    expect(await read('cn-gb18030.csv', 'CNY')).toEqual([
      [4, '2026-11-18T09:30:15', '12850 CNY', '转账 老虎TIGER2345谢谢', '张三', '2026111800010001'],
      [5, '2026-11-19T10:00:00', '-5620 CNY', '代扣', '水费代扣', '2026111900010002'],
    ]);
  });

  test('tw-big5.csv', async () => {
    expect(await read('tw-big5.csv', 'TWD')).toEqual([
      [2, '2026-11-18T14:05:09', '150000 TWD', '轉帳存入 TIGER2345 王小明'],
      [3, '2026-11-19T08:00:00', '1200 TWD', '利息'],
    ]);
  });

  test('jp-shift-jis.csv', async () => {
    expect(await read('jp-shift-jis.csv', 'JPY')).toEqual([
      [2, '2026-11-18', '12000 JPY', '振込 ヤマダ タロウ TIGER2345'],
      [3, '2026-11-20', '-440 JPY', '手数料'],
    ]);
  });

  test('kr-euc-kr.csv', async () => {
    expect(await read('kr-euc-kr.csv', 'KRW')).toEqual([
      [2, '2026-11-18T14:05:09', '52000 KRW', 'TIGER2345', '홍길동', 'A0001'],
      [3, '2026-11-19T09:10:11', '-500 KRW', '수수료', 'A0002'],
    ]);
  });

  test('th-tis620.csv', async () => {
    expect(await read('th-tis620.csv', 'THB')).toEqual([
      [2, '2026-11-18T14:05:00', '125075 THB', 'รับโอน จาก X1234 นาย สมชาย TIGER2345'],
      [3, '2026-11-19', '-2500 THB', 'ค่าธรรมเนียม SMS'],
    ]);
  });

  test('id-comma.csv', async () => {
    expect(await read('id-comma.csv', 'IDR')).toEqual([
      [5, '2026-11-18', '15000000 IDR', 'TRSF E-BANKING CR 1811/FTSCY/WS95051 TIGER2345 BUDI SANTOSO'],
      [6, '2026-11-19', '-1700000 IDR', 'BIAYA ADM'],
    ]);
  });

  test('vn-thousands.csv', async () => {
    expect(await read('vn-thousands.csv', 'VND')).toEqual([
      [2, '2026-11-18T14:05:09', '250000 VND', 'NGUYEN VAN A chuyen tien TIGER2345', 'FT26322000111'],
      [3, '2026-11-19T08:00:00', '-11000 VND', 'Phi dich vu', 'FT26323000222'],
    ]);
  });

  test('nz-signed.csv', async () => {
    expect(await read('nz-signed.csv', 'NZD')).toEqual([
      [2, '2026-11-18', '4590 NZD', 'TIGER2345 ORDER 77', 'A CUSTOMER'],
      [3, '2026-11-19', '-1995 NZD', 'INV 1', 'POWER CO'],
    ]);
  });

  test('au-no-header.csv: the columns of the text is told by a person', async () => {
    expect(await read('au-no-header.csv', 'AUD', { references: ['#3'] })).toEqual([
      [1, '2026-11-18', '12000 AUD', 'Fast Transfer From ADA LOVELACE TIGER2345'],
      [2, '2026-11-19', '-3000 AUD', 'Card xx1234'],
    ]);
  });

  test('in-grouping.csv', async () => {
    expect(await read('in-grouping.csv', 'INR')).toEqual([
      [2, '2026-11-18', '12500000 INR', 'BY TRANSFER-UPI/CR/632245678901/ASHA/TIGER2345', '0000632245678901'],
      [3, '2026-11-19', '-1770 INR', 'CHARGES'],
    ]);
  });

  test('fr-windows-1252.csv', async () => {
    expect(await read('fr-windows-1252.csv', 'EUR')).toEqual([
      [2, '2026-11-18', '123456 EUR', 'Virement reçu café – TIGER2345'],
      [3, '2026-11-19', '-1200 EUR', 'Frais'],
    ]);
  });
});
