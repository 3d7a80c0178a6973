import { expect, test } from 'vitest';
import { readCsvFile } from './csv-text.ts';

/** Each with its currency, and what is in it, in short. */
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

test.each(files)('%s is read right, its encoding found', async (name, currency, expected) => {
  expect(await readCsvFile(name, currency)).toEqual(expected);
});
