import { describe, expect, test } from 'vitest';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import { readCsvFile } from './csv-text.ts';

describe('dialects', () => {
  /** The file, its currency, its summarized entries, and the part of its mapping that cannot be detected. */
  const files: [string, string, (string | number)[][], Partial<CsvMapping>?][] = [
    [
      'hk-wallet-offset.csv',
      'HKD',
      [[2, '2026-11-20T02:15:30.000Z', '12850 HKD', 'LAU KA YAN TIGER2345', '7c2f-1']],
    ],
    [
      'nz-type-and-sign.csv',
      'NZD',
      [
        [2, '2026-11-20', '12850 NZD', 'J SMITH TIGER2345 INV 12'],
        [3, '2026-11-19', '-4500 NZD', 'POWER CO ACCT 99'],
      ],
    ],
    [
      'au-bare.csv',
      'AUD',
      [
        [1, '2026-11-20', '12850 AUD', 'TRANSFER FROM ADA LOVELACE TIGER2345'],
        [2, '2026-11-19', '-4500 AUD', 'EFTPOS COLES 1234'],
      ],
    ],
    [
      'nz-unique-id.csv',
      'NZD',
      [
        [9, '2026-11-20', '12850 NZD', 'TIGER2345 INV', 'J SMITH', '2026112001'],
        [10, '2026-11-19', '-4500 NZD', 'COUNTDOWN', '2026111901'],
      ],
    ],
    [
      'id-no-year.csv',
      'IDR',
      [
        [
          9,
          '2026-11-20',
          '125000000 IDR',
          'TRSF E-BANKING CR 2011/FTSCY/WS95051 1250000.00 TIGER2345 BUDI SANTOSO',
        ],
        [10, '2026-11-19', '-1700000 IDR', 'BIAYA ADM'],
      ],
    ],
    [
      'ph-month-first.csv',
      'PHP',
      [
        [2, '2026-11-20', '128550 PHP', 'INSTAPAY TRANSFER TIGER2345 JUAN DELA CRUZ'],
        [3, '2026-11-19', '-1500 PHP', 'SC'],
      ],
    ],
    [
      'hk-chinese.csv',
      'HKD',
      [
        [2, '2026-11-20', '12850 HKD', '轉數快 TIGER2345 陳大文'],
        [3, '2026-11-19', '-500 HKD', '手續費'],
      ],
    ],
    [
      'hk-brackets.csv',
      'HKD',
      [
        [2, '2026-11-20', '112850 HKD', 'Transfer TIGER2345'],
        [3, '2026-11-19', '-4500 HKD', 'Fee'],
      ],
    ],
    [
      'my-currency-in-cell.csv',
      'MYR',
      [
        [2, '2026-11-20', '12850 MYR', 'DUITNOW TO ACCOUNT ALI BIN ABU TIGER2345', '123456789'],
        [3, '2026-11-19', '-50 MYR', 'FEE', '123456790'],
      ],
    ],
    [
      'sg-three-refs.csv',
      'SGD',
      [
        [7, '2026-11-20', '1250 SGD', 'ICT PayNow Transfer 1234567 From: TAN AH KOW TIGER2345'],
        [8, '2026-11-19', '-20000 SGD', 'ITR MyCard'],
      ],
    ],
    [
      'sg-two-descriptions.csv',
      'SGD',
      [
        [8, '2026-11-20', '1250 SGD', 'INCOMING PAYNOW TIGER2345 From: TAN AH KOW'],
        [9, '2026-11-19', '-120000 SGD', 'FAST PAYMENT To: RENT LTD'],
      ],
    ],
    [
      'in-padded.csv',
      'INR',
      [
        [
          2,
          '2026-11-20',
          '12500000 INR',
          'UPI-ASHA-ASHA@OKHDFC-HDFC0000001-632245678901-TIGER2345',
          '0000632245678901',
        ],
        [3, '2026-11-19', '-1770 INR', 'CHARGES'],
      ],
    ],
    [
      'hk-billing.csv',
      'HKD',
      [
        [2, '2026-11-20', '112850 HKD', 'CR TO 123-456789-838 LAU KA YAN TIGER2345 HC12623NOV20'],
        [3, '2026-11-19', '-50000 HKD', 'AUTOPAY OUT'],
      ],
    ],
    [
      'hk-twenty-columns.csv',
      'HKD',
      [
        [2, '2026-11-20T08:15:00', '12850 HKD', 'FPS TIGER2345 LAU KA YAN TIGER2345'],
        [3, '2026-11-19T08:15:00', '-500 HKD', 'CHARGES', 'N112233'],
      ],
    ],
    [
      'in-remarks.csv',
      'INR',
      [
        [2, '2026-11-20', '12500000 INR', 'UPI/632245678901/TIGER2345/asha@okicici/ICICI'],
        [3, '2026-11-19', '-1770 INR', 'CHARGES'],
      ],
    ],
    [
      'th-short-buddhist.csv',
      'THB',
      [
        [6, '2026-11-20T10:15:00', '125075 THB', 'รับโอนเงิน จาก X1234 นาย สมชาย TIGER2345++'],
        [7, '2026-11-20T11:15:00', '-25000 THB', 'โอนเงิน โอนไป BBL X9999'],
      ],
    ],
    [
      'nz-other-party.csv',
      'NZD',
      [
        [2, '2026-11-20', '12850 NZD', 'Direct Credit J SMITH TIGER2345', 'J SMITH'],
        [3, '2026-11-19', '-4500 NZD', 'POWER CO', 'POWER CO'],
      ],
    ],
    [
      'id-same-header-twice.csv',
      'IDR',
      [
        [2, '2026-11-20', '125000000 IDR', 'MCM InhouseTrf TIGER2345 BUDI SANTOSO', '202611201234'],
        [3, '2026-11-19', '-1700000 IDR', 'Biaya', '202611191234'],
      ],
    ],
    [
      'my-numbered-refs.csv',
      'MYR',
      [
        [3, '2026-11-20', '12850 MYR', 'IBK FUND TFR FR A/C TIGER2345', 'ALI BIN ABU'],
        [4, '2026-11-19', '-50 MYR', 'SERVICE CHG'],
      ],
    ],
    [
      'au-short-year.csv',
      'AUD',
      [
        [2, '2026-11-20', '12850 AUD', 'ADA LOVELACE TIGER2345'],
        [3, '2026-11-19', '-4500 AUD', 'COLES'],
      ],
    ],
    [
      'sg-text-below.csv',
      'SGD',
      [
        [7, '2026-11-20', '1250 SGD', 'FUND TRANSFER PAYNOW-FAST OTHR TIGER2345 TAN AH KOW'],
        [9, '2026-11-19', '-100000 SGD', 'CASH WITHDRAWAL'],
      ],
    ],
    [
      'hk-wallet-states.csv',
      'HKD',
      [
        [2, '2026-11-20T02:15:30.000Z', '12850 HKD', 'TIGER2345', 'LAU KA YAN', 'abc-1'],
        [3, '2026-11-20T03:15:30.000Z', '2850 HKD pending', 'x', 'LAU KA YAN', 'abc-2'],
      ],
    ],
    [
      'th-english.csv',
      'THB',
      [
        [2, '2026-11-20T14:05:00', '125075 THB', 'จาก KBANK X1234 นาย สมชาย TIGER2345'],
        [3, '2026-11-20T15:05:00', '-25000 THB', 'โอนไป'],
      ],
    ],
    [
      'vn-two-languages.csv',
      'VND',
      [
        [2, '2026-11-20', '1250000 VND', 'TIGER2345 chuyen tien', 'NGUYEN VAN A', 'FT26324123456789'],
        [3, '2026-11-19', '-11000 VND', 'Phi SMS', 'FT26323000001'],
      ],
    ],
    [
      'sg-lines-in-field.csv',
      'SGD',
      [
        [7, '2026-11-20', '1250 SGD', 'Inward CR - FAST PAYNOW TIGER2345 TAN AH KOW'],
        [10, '2026-11-19', '-3500 SGD', 'Misc Debit'],
      ],
    ],
    [
      'vn-plus-minus.csv',
      'VND',
      [
        [2, '2026-11-20', '1250000 VND', 'MBVCB.123456.TIGER2345.CT tu 0011 NGUYEN VAN A', '5007 - 12345'],
        [3, '2026-11-19', '-11000 VND', 'Phi', '5007 - 12346'],
      ],
    ],
    [
      'au-own-columns.csv',
      'AUD',
      [
        [2, '2026-11-20', '12850 AUD', 'DEPOSIT-OSKO PAYMENT 1234567 ADA LOVELACE TIGER2345'],
        [3, '2026-11-19', '-4500 AUD', 'WITHDRAWAL'],
      ],
    ],
    [
      'hk-wallet-wide.csv',
      'HKD',
      [
        [
          2,
          '2026-11-20',
          '12850 HKD',
          'Received money from LAU KA YAN with reference TIGER2345 TIGER2345',
          'LAU KA YAN',
          'TRANSFER-1234567890',
        ],
        [3, '2026-11-19', '-4500 HKD', 'Card transaction of 45.00 HKD issued by Starbucks', 'CARD-987654'],
      ],
    ],
    [
      'hk-business.csv',
      'HKD',
      [
        [6, '2026-11-18', '128050 HKD', 'FPS/CHAN TAI MAN TIGER2345 FRN20261118PAYC0101'],
        [9, '2026-11-19', '-3500 HKD', 'CHARGES, "PRIORITY"'],
        [10, '2026-11-20', '8800 HKD', 'HONEY6789 LEE SIU MING'],
      ],
    ],
    [
      'id-comma.csv',
      'IDR',
      [
        [5, '2026-11-18', '15000000 IDR', 'TRSF E-BANKING CR 1811/FTSCY/WS95051 TIGER2345 BUDI SANTOSO'],
        [6, '2026-11-19', '-1700000 IDR', 'BIAYA ADM'],
      ],
    ],
    [
      'nz-signed.csv',
      'NZD',
      [
        [2, '2026-11-18', '4590 NZD', 'TIGER2345 ORDER 77', 'A CUSTOMER'],
        [3, '2026-11-19', '-1995 NZD', 'INV 1', 'POWER CO'],
      ],
    ],
    [
      'au-no-header.csv',
      'AUD',
      [
        [1, '2026-11-18', '12000 AUD', 'Fast Transfer From ADA LOVELACE TIGER2345'],
        [2, '2026-11-19', '-3000 AUD', 'Card xx1234'],
      ],
      { referenceColumns: ['#3'] },
    ],
    [
      'in-grouping.csv',
      'INR',
      [
        [
          2,
          '2026-11-18',
          '12500000 INR',
          'BY TRANSFER-UPI/CR/632245678901/ASHA/TIGER2345',
          '0000632245678901',
        ],
        [3, '2026-11-19', '-1770 INR', 'CHARGES'],
      ],
    ],
  ];

  test.each(files)('%s is read right with its detected mapping', async (name, currency, expected, change) => {
    expect(await readCsvFile(name, currency, change)).toEqual(expected);
  });
});

describe('encodings', () => {
  /** The file, its currency, and its summarized entries. */
  const files: [string, string, (string | number)[][]][] = [
    [
      'sg-single-column.csv',
      'SGD',
      [
        [2, '2026-11-20', '1250 SGD', 'PAYNOW OTHR TIGER2345', 'FT26324A0001'],
        [3, '2026-11-20', '-120000 SGD', 'GIRO RENT', 'FT26324A0002'],
        [4, '2026-11-21', '700 SGD', 'PAYNOW HONEY6789', 'FT26325A0003'],
      ],
    ],
    [
      'cn-gb18030.csv',
      'CNY',
      [
        [4, '2026-11-18T09:30:15', '12850 CNY', '转账 老虎TIGER2345谢谢', '张三', '2026111800010001'],
        [5, '2026-11-19T10:00:00', '-5620 CNY', '代扣', '水费代扣', '2026111900010002'],
      ],
    ],
    [
      'tw-big5.csv',
      'TWD',
      [
        [2, '2026-11-18T14:05:09', '150000 TWD', '轉帳存入 TIGER2345 王小明'],
        [3, '2026-11-19T08:00:00', '1200 TWD', '利息'],
      ],
    ],
    [
      'jp-shift-jis.csv',
      'JPY',
      [
        [2, '2026-11-18', '12000 JPY', '振込 ヤマダ タロウ TIGER2345'],
        [3, '2026-11-20', '-440 JPY', '手数料'],
      ],
    ],
    [
      'kr-euc-kr.csv',
      'KRW',
      [
        [2, '2026-11-18T14:05:09', '52000 KRW', 'TIGER2345', '홍길동', 'A0001'],
        [3, '2026-11-19T09:10:11', '-500 KRW', '수수료', 'A0002'],
      ],
    ],
    [
      'th-tis620.csv',
      'THB',
      [
        [2, '2026-11-18T14:05:00', '125075 THB', 'รับโอน จาก X1234 นาย สมชาย TIGER2345'],
        [3, '2026-11-19', '-2500 THB', 'ค่าธรรมเนียม SMS'],
      ],
    ],
    [
      'vn-thousands.csv',
      'VND',
      [
        [2, '2026-11-18T14:05:09', '250000 VND', 'NGUYEN VAN A chuyen tien TIGER2345', 'FT26322000111'],
        [3, '2026-11-19T08:00:00', '-11000 VND', 'Phi dich vu', 'FT26323000222'],
      ],
    ],
    [
      'fr-windows-1252.csv',
      'EUR',
      [
        [2, '2026-11-18', '123456 EUR', 'Virement reçu café – TIGER2345'],
        [3, '2026-11-19', '-1200 EUR', 'Frais'],
      ],
    ],
    [
      'kr-compact.csv',
      'KRW',
      [
        [2, '2026-11-20T10:15:30', '52000 KRW', 'TIGER2345홍길동'],
        [3, '2026-11-19T09:00:00', '-500 KRW', '수수료'],
      ],
    ],
    [
      'kr-memo.csv',
      'KRW',
      [
        [2, '2026-11-20T10:15:30', '52000 KRW', '인터넷 TIGER2345', '홍길동'],
        [3, '2026-11-19T09:00:00', '-500 KRW', '수수료'],
      ],
    ],
  ];

  test.each(files)('%s is read right with its detected encoding', async (name, currency, expected) => {
    expect(await readCsvFile(name, currency)).toEqual(expected);
  });
});
