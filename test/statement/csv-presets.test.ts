import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import { checkCsvMapping } from '../../src/statement/csv-mapping.ts';
import { bankPresets } from '../../src/statement/csv-presets.ts';
import { toChunks } from '../setup/statement-files.ts';
import { readCsvText, summarizeCsvEntry } from './csv-text.ts';

const folder = new URL('../fixtures/statements/presets/', import.meta.url);

/** Each file with its bank, its currency, and its rows as line, date, amount and text. */
const files: [name: string, bank: string, currency: string, entries: (string | number)[][]][] = [
  [
    'hk-hsbc.csv',
    'HSBC Hong Kong',
    'HKD',
    [
      [2, '2026-11-04', '12850 HKD', 'FPS TIGER2345            CHAN TAI MAN'],
      [3, '2026-11-03', '-4500 HKD', 'MOBILE WITHDRAWAL        (02NOV26)'],
    ],
  ],
  [
    'hk-hsbc-cards.csv',
    'HSBC Hong Kong cards',
    'HKD',
    [
      [2, '2026-11-04', '12850 HKD', 'RETURN:  TIGER2345         CHN          CN', 'TIGER LTD'],
      [3, '2026-11-03', '-4500 CNY', 'QR       NOODLES CO.,LTD.   CHN          CN', 'NOODLES CO.,LTD.'],
    ],
  ],
  [
    'cn-abc.csv',
    'Agricultural Bank of China',
    'CNY',
    [
      [2, '2026-11-04T10:15:30', '12850 CNY', '转存 TIGER2345', '陈大文'],
      [3, '2026-11-03', '-4500 CNY', '正常还款', '12341234123412341'],
    ],
  ],
  [
    'cn-boc.csv',
    'Bank of China',
    'CNY',
    [
      [3, '2026-11-04T10:15:30', '12850 CNY', '跨行转账 TIGER2345', '陈大文'],
      [4, '2026-11-03T08:05:00', '-4500 CNY', '网上快捷支付 水费', '水费代扣'],
    ],
  ],
  [
    'cn-boc-cards.csv',
    'Bank of China cards',
    'CNY',
    [
      [3, '2026-11-04', '12850 CNY', 'TIGER2345'],
      [4, '2026-11-03', '-4500 CNY', '上海公共交通卡股份有限CHN'],
    ],
  ],
  [
    'cn-bocom.csv',
    'Bank of Communications',
    'CNY',
    [
      [2, '2026-11-04T10:15:30', '12850 CNY', '其他交易 TIGER2345', '陈大文'],
      [3, '2026-11-03T08:05:00', '-4500 CNY', '网上支付 水费', '水费代扣'],
    ],
  ],
  [
    'cn-cmb.csv',
    'China Merchants Bank',
    'CNY',
    [
      [2, '2026-11-04', '112850 CNY', '转账汇款 TIGER2345', '陈大文 6217001234567890123'],
      [3, '2026-11-03', '-4500 CNY', '一网通支付 供电', '国网电力有限公司99999999999999'],
    ],
  ],
  [
    'cn-icbc.csv',
    'ICBC',
    'CNY',
    [
      [8, '2026-11-04', '12850 CNY', '他行汇入 TIGER2345', '陈大文'],
      [9, '2026-11-03', '-4500 CNY', '消费 便利店', '微信'],
    ],
  ],
  [
    'cn-icbc-details.csv',
    'ICBC',
    'CNY',
    [
      [2, '2026-11-04', '12850 CNY', '他行汇入 TIGER2345', '陈大文'],
      [3, '2026-11-03', '-4500 CNY', '消费 便利店', '微信'],
    ],
  ],
  [
    'cn-icbc-cards.csv',
    'ICBC cards',
    'CNY',
    [
      [2, '2026-11-04', '12850 CNY', '退款 TIGER2345', '陈大文'],
      [3, '2026-11-03', '-4500 CNY', '消费 便利店'],
    ],
  ],
  [
    'cn-cgb-cards.csv',
    'China Guangfa Bank cards',
    'CNY',
    [
      [2, '2026-11-04', '12850 CNY', '（退款）TIGER2345'],
      [3, '2026-11-03', '-4500 CNY', '（消费）便利店'],
    ],
  ],
  [
    'cn-wechat.csv',
    'WeChat Pay',
    'CNY',
    [
      [5, '2026-11-04T10:15:30', '12850 CNY', '二维码收款 TIGER2345 /', '陈大文', '3985734'],
      [6, '2026-11-03T08:05:00', '-4500 CNY', '商户消费 早餐 /', '便利店', '3985735'],
    ],
  ],
  [
    'cn-alipay.csv',
    'Alipay',
    'CNY',
    [
      [3, '2026-11-04T10:15:30', '12850 CNY', 'TIGER2345', '陈大文', '2026110400000001'],
      [4, '2026-11-03T08:05:00', '-4500 CNY', '早餐', '便利店', '2026110300000002'],
    ],
  ],
  [
    'sg-ocbc.csv',
    'OCBC',
    'SGD',
    [
      [7, '2026-11-04', '12850 SGD', 'FAST PAYMENT OTHR - TIGER2345 via PayNow-UEN'],
      [9, '2026-11-03', '-4500 SGD', 'CASH WITHDRAWAL  ATM 66-6666 OCBC-666 BRANCH          S'],
    ],
  ],
  [
    'sg-ocbc-cards.csv',
    'OCBC cards',
    'SGD',
    [
      [4, '2026-11-04', '12850 SGD', 'TIGER2345 REFUND'],
      [5, '2026-11-03', '-4500 SGD', '-1393 NOODLE BAR'],
    ],
  ],
  [
    'sg-dbs.csv',
    'DBS and POSB',
    'SGD',
    [
      [
        5,
        '2026-11-04',
        '12850 SGD',
        'PayNow Transfer From: TAN AH KOW TIGER2345 PayNow Transfer From: TAN AH KOW TIGER2345',
      ],
      [6, '2026-11-03', '-4500 SGD', 'NETS NOODLE BAR NETS NOODLE BAR'],
    ],
  ],
  [
    'sg-dbs-cards.csv',
    'DBS cards',
    'SGD',
    [
      [3, '2026-11-04', '12850 SGD', 'TIGER2345 REFUND'],
      [4, '2026-11-03', '-4500 SGD', 'NOODLE BAR SGP'],
    ],
  ],
  [
    'sg-uob.csv',
    'UOB',
    'SGD',
    [
      [3, '2026-11-04', '12850 SGD', 'PAYNOW-FAST TIGER2345 TAN AH KOW'],
      [5, '2026-11-03', '-4500 SGD', 'CASH CARD'],
    ],
  ],
  [
    'sg-standard-chartered.csv',
    'Standard Chartered Singapore',
    'SGD',
    [
      [3, '2026-11-04', '12850 SGD', 'PAYNOW TIGER2345'],
      [4, '2026-11-03', '-4500 SGD', 'NETS NOODLE BAR'],
    ],
  ],
  [
    'id-bca-business.csv',
    'BCA',
    'IDR',
    [
      [2, '2026-11-04', '12850000 IDR', 'TRSF E-BANKING CR 0411/FTSCY/WS95051 TIGER2345 BUDI SANTOSO'],
      [3, '2026-11-03', '-4500000 IDR', 'BIAYA ADM'],
    ],
  ],
  [
    'id-bca-personal.csv',
    'BCA',
    'IDR',
    [
      [2, '2026-11-04', '12850000 IDR', 'TRSF E-BANKING CR 0411/FTSCY/WS95051 TIGER2345'],
      [3, '2026-11-03', '-4500000 IDR', 'BIAYA ADM'],
      [4, '', '700000 IDR pending', 'TRSF E-BANKING CR 0511/FTSCY/WS95051 LION5678'],
    ],
  ],
  [
    'id-mandiri.csv',
    'Bank Mandiri',
    'IDR',
    [
      [2, '2026-11-04', '12850000 IDR', 'MCM InhouseTrf DARI BUDI SANTOSO Transfer TIGER2345', 'G075070944'],
      [3, '2026-11-03', '-4500000 IDR', 'Biaya Adm'],
    ],
  ],
  [
    'id-mandiri-excel.csv',
    'Bank Mandiri',
    'IDR',
    [
      [2, '2026-08-05', '12850000 IDR', 'TIGER2345 BUDI SANTOSO', 'G075070944'],
      [3, '2026-08-03', '-4500000 IDR', 'Biaya Adm', 'G075070945'],
    ],
  ],
  [
    'id-bri.csv',
    'BRI',
    'IDR',
    [
      [2, '2026-11-04T10:15:30', '12850000 IDR', 'TIGER2345 BUDI SANTOSO'],
      [3, '2026-11-03T08:05:00', '-4500000 IDR', 'BIAYA ADM'],
    ],
  ],
  [
    'id-jatim.csv',
    'Bank Jatim',
    'IDR',
    [
      [2, '2026-11-04', '12850000 IDR', 'TIGER2345', 'BUDI SANTOSO', 'J1'],
      [3, '2026-11-03', '-4500000 IDR', 'BIAYA ADM', 'BANK', 'J2'],
    ],
  ],
  [
    'nz-asb.csv',
    'ASB',
    'NZD',
    [
      [9, '2026-11-03', '-4500 NZD', 'EFTPOS', 'NOODLE BAR AUCKLAND', '2026110301'],
      [10, '2026-11-04', '12850 NZD', 'TIGER2345', 'D/C FROM J SMITH', '2026110401'],
    ],
  ],
  [
    'nz-kiwibank.csv',
    'Kiwibank',
    'NZD',
    [
      [2, '2026-11-04', '12850 NZD', 'PAY J SMITH TIGER2345', 'J SMITH'],
      [3, '2026-11-03', '-4500 NZD', 'Noodle Bar'],
    ],
  ],
  [
    'nz-anz.csv',
    'ANZ New Zealand',
    'NZD',
    [
      [2, '2026-11-04', '12850 NZD', 'J Smith Order TIGER2345'],
      [3, '2026-11-03', '-4500 NZD', 'Water Services Smith B 33 Queen St 4112233-02'],
    ],
  ],
  [
    'nz-anz-cards.csv',
    'ANZ New Zealand cards',
    'NZD',
    [
      [2, '2026-11-04', '12850 NZD', 'TIGER2345 Refund          Auckland      Nz'],
      [3, '2026-11-03', '-4500 NZD', 'Noodle Bar            Auckland      Nz'],
    ],
  ],
  [
    'nz-westpac.csv',
    'Westpac New Zealand',
    'NZD',
    [
      [2, '2026-11-04', '12850 NZD', 'DIRECT CREDIT TIGER2345 Order 123', 'J Smith'],
      [3, '2026-11-03', '-4500 NZD', 'EFTPOS TRANSACTION 03-16:10-941 ************ 7722 43533', 'Noodle Bar'],
    ],
  ],
  [
    'in-hdfc.csv',
    'HDFC Bank',
    'INR',
    [
      [2, '2026-11-04', '12850000 INR', 'UPI-ASHA-ASHA@OKHDFC-632245678901-TIGER2345', '632245678901'],
      [3, '2026-11-03', '-4500 INR', 'UPI-NOODLES-NOODLES@OKHDFC-632245678902', '632245678902'],
    ],
  ],
  [
    'in-hdfc-padded.csv',
    'HDFC Bank',
    'INR',
    [
      [2, '2026-11-04', '12850 INR', 'UPI-ASHA-ASHA@OKHDFC-632245678901-TIGER2345', '0000632245678901'],
      [3, '2026-11-03', '-4500 INR', 'UPI-NOODLES-NOODLES@OKHDFC-632245678902', '0000632245678902'],
    ],
  ],
  [
    'in-icici.csv',
    'ICICI Bank',
    'INR',
    [
      [2, '2026-11-04', '12850 INR', 'UPI/632245678901/TIGER2345/asha@okicici/ICICI'],
      [3, '2026-11-03', '-4500 INR', 'CHARGES'],
    ],
  ],
  [
    'in-axis.csv',
    'Axis Bank',
    'INR',
    [
      [2, '2026-11-04', '12850 INR', 'UPI/P2A/632245678901/ASHA/TIGER2345'],
      [3, '2026-11-03', '-4500 INR', 'CHARGES'],
    ],
  ],
  [
    'in-kotak.csv',
    'Kotak Mahindra Bank',
    'INR',
    [
      [2, '2026-11-04', '12850 INR', 'UPI/ASHA/632245678901/TIGER2345', 'UPI-632245678901'],
      [3, '2026-11-03', '-4500 INR', 'CHARGES', 'C-1'],
    ],
  ],
  [
    'in-baroda.csv',
    'Bank of Baroda',
    'INR',
    [
      [2, '2026-11-04', '12850 INR', 'UPI/632245678901/TIGER2345'],
      [3, '2026-11-03', '-4500 INR', 'CHARGES'],
    ],
  ],
  [
    'in-idbi.csv',
    'IDBI Bank',
    'INR',
    [
      [2, '2026-11-04', '12850 INR', 'UPI/632245678901/TIGER2345'],
      [3, '2026-11-03', '-4500 INR', 'CHARGES'],
    ],
  ],
  [
    'vn-tpbank.csv',
    'TPBank',
    'VND',
    [
      [2, '2026-11-04T10:15:30', '128500 VND', 'TIGER2345 chuyen tien', 'NGUYEN VAN A', 'FT26308000111'],
      [3, '2026-11-03T08:05:00', '-45000 VND', 'Phi SMS', 'FT26307000222'],
    ],
  ],
  [
    'ph-bdo.csv',
    'BDO',
    'PHP',
    [
      [2, '2026-11-04', '112850 PHP', 'INSTAPAY TRANSFER TIGER2345 JUAN DELA CRUZ'],
      [3, '2026-11-03', '-4500 PHP', 'SERVICE CHARGE'],
    ],
  ],
  [
    'ph-bdo-2025.csv',
    'BDO',
    'PHP',
    [
      [2, '2026-11-04', '12850 PHP', 'INSTAPAY TRANSFER TIGER2345'],
      [3, '2026-10-30', '-4500 PHP', 'SERVICE CHARGE'],
    ],
  ],
];

describe('a bank’s export', () => {
  test.each(files)(
    '%s is recognized as an export of %s and read without a question',
    async (name, bank, currency, expected) => {
      const content = await readFile(new URL(name, folder));
      const guess = await guessCsvMapping(() => toChunks(content), { currency, today: '2026-11-21' });
      expect([guess.bank, guess.questions]).toEqual([bank, []]);
      const mapping = checkCsvMapping(guess.mapping);
      const entries = await readCsvText(content, { mapping, currency, today: '2026-11-21' });
      expect(entries.map(summarizeCsvEntry)).toEqual(expected);
    },
  );

  test('every preset has a file, and every file a public source with its path and commit', async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.csv'));
    expect(files.map(([name]) => name).toSorted()).toEqual(names.toSorted());
    expect(files.map(([, bank]) => bank).toSorted()).toEqual(bankPresets.map(({ bank }) => bank).toSorted());
    const readme = await readFile(new URL('README.md', folder), 'utf8');
    const sources = [
      ...readme.matchAll(/^\| (\S+\.csv) \| [^|]+ \| [\w.-]+\/[\w.-]+ \| \S+ \| [0-9a-f]{40} \|$/gm),
    ];
    expect(sources.map(([, name]) => name).toSorted()).toEqual(names.toSorted());
  });

  test.each([
    ['presets/nz-kiwibank.csv', 'Account number', '38-0000-0000000-00'],
    ['presets/id-bri.csv', 'NOREK', '001101000111222'],
    ['presets/id-mandiri.csv', 'Account No', '0060001112223'],
    ['presets/id-jatim.csv', undefined, undefined],
    ['csv/nz-other-party.csv', 'Account number', '38-9000-0123456-00'],
    ['csv/nz-signed.csv', 'This Party Account', '02-0100-0123456-00'],
    ['csv/au-own-columns.csv', 'Bank Account', '032000123456'],
    ['csv/au-short-year.csv', 'Account Number', '123456789'],
    ['csv/hk-twenty-columns.csv', 'Account number', '848123456838'],
    ['csv/hk-billing.csv', undefined, undefined],
  ])('%s names its own account in the column %s', async (name, column, accountId) => {
    const content = await readFile(new URL(`../${name}`, folder));
    const { mapping } = await guessCsvMapping(() => toChunks(content), { currency: 'NZD' });
    expect(mapping.accountColumn).toBe(column);
    const entries = await readCsvText(content, { mapping: checkCsvMapping(mapping), today: '2026-11-21' });
    expect(entries.map((entry) => entry.accountId)).toEqual([accountId, accountId]);
  });

  test.each([
    ['differ from row to row', '20/11/2026,5,1234567\n19/11/2026,6,7654321\n'],
    ['are missing in a row', '20/11/2026,5,1234567\n19/11/2026,6,\n'],
    ['are in one row only', '20/11/2026,5,1234567\n'],
  ])('account numbers that %s are not proposed as those of the own account', async (_, rows) => {
    const content = `Date,Amount,Account number\n${rows}`;
    const { mapping } = await guessCsvMapping(() => toChunks(content), { currency: 'NZD' });
    expect(mapping).not.toHaveProperty('accountColumn');
  });

  test('with ambiguous days and months is read in the bank’s order of dates', async () => {
    const hsbc = 'Date,Description,Billing amount,Billing currency,Balance,Balance currency\n';
    const content = `${hsbc}02/10/2026,TIGER2345,"128.50"\t,HKD,"128.50"\t,HKD\n`;
    const { mapping, questions } = await guessCsvMapping(() => toChunks(content), { currency: 'HKD' });
    expect([mapping.dateOrder, questions]).toEqual(['dmy', []]);
  });
});
