import '../setup/dashboard-texts.ts';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEmptyLine, parseOrderLines } from '../../src/dashboard/components/order-line.ts';
import { updatePeriod } from '../../src/dashboard/components/period.ts';
import { diffInput } from '../../src/dashboard/components/use-changes.ts';
import {
  formatAmount,
  isNegative,
  isZero,
  sumDecimals,
  toFieldAmount,
} from '../../src/dashboard/format/amount.ts';
import {
  addMonths,
  isDay,
  isWholeMonth,
  lastOfMonth,
  nextDay,
  today,
} from '../../src/dashboard/format/days.ts';
import { fractionToPercent, percentToFraction } from '../../src/dashboard/format/fraction.ts';
import { formatEvent, formatLanguage } from '../../src/dashboard/format/labels.ts';
import {
  formatBankDate,
  formatMoment,
  formatPeriod,
  getDisplayTimeZone,
  getRateFormat,
  parseFieldTime,
  setDisplayTimeZone,
  startOfDay,
  toFieldTime,
} from '../../src/dashboard/format/moment.ts';
import { getTimeZoneOptions } from '../../src/dashboard/format/time-zones.ts';
import { serverNow, syncServerClock } from '../../src/dashboard/graphql/server-clock.ts';
import { actionTexts, auditCategories } from '../../src/dashboard/pages/audit/action-texts.ts';
import { formatChanges } from '../../src/dashboard/pages/audit/format-changes.ts';
import { formatNothingReceived } from '../../src/dashboard/pages/charge/format-nothing-received.ts';
import { findProblems } from '../../src/dashboard/pages/operator/find-problems.ts';
import { formatRateDeviation } from '../../src/dashboard/pages/operator/format-rate-deviation.ts';
import { auditActions } from '../../src/domain/platform/audit/record-audit.ts';
import { eventTypes } from '../../src/event/catalog.ts';
import { getMinorDigits, zeroDecimalCurrencies } from '../../src/kit/currency.ts';
import { decimalToMinor, toDecimal } from '../../src/kit/money.ts';
import { parseAmount, parseRate } from '../../src/kit/typed-number.ts';
import { formatMoney } from '../../src/language/format.ts';
import { formatOwnReference } from '../../src/language/format-own-reference.ts';
import { languageCodes } from '../../src/language/languages.ts';
import { paymentMethods } from '../../src/method/catalog.ts';

const currencies = [...Object.values(paymentMethods).map(({ currency }) => currency), 'EUR', 'INR', 'KWD'];

const november = { from: '2026-11-01', to: '2026-11-30' };

/** Actions on the installation, which no merchant's log has. */
const ofOperators = new Set(['job', 'exchange_rate']);

describe('amounts', () => {
  test('have no decimals in currencies whose methods accept whole units only', () => {
    for (const { currency, payableUnit } of Object.values(paymentMethods)) {
      const decimal = toDecimal({ minor: 10n ** BigInt(getMinorDigits(currency) + 2), currency });
      expect([currency, toFieldAmount(decimal, currency)]).toEqual([
        currency,
        payableUnit === 'whole' ? '100' : decimal,
      ]);
    }
  });

  test('have decimals in all other currencies', () => {
    const methods = Object.values(paymentMethods).filter(({ payableUnit }) => payableUnit === 'whole');
    expect(zeroDecimalCurrencies).toEqual(new Set(methods.map(({ currency }) => currency)));
  });

  test('have a symbol that no other currency has, as on customer pages', () => {
    const formatted = ['HKD', 'SGD', 'USD', 'CNY', 'GBP', 'EGP', 'SEK', 'MYR', 'THB'].map((currency) =>
      formatAmount('-1250.5', currency),
    );
    expect(formatted).toEqual([
      '-HK$1,250.5',
      '-S$1,250.5',
      '-US$1,250.5',
      '-CN¥1,250.5',
      '-£1,250.5',
      '-E£1,250.5',
      '-SEK 1,250.5',
      '-RM 1,250.5',
      '-฿1,250.5',
    ]);
    expect(formatMoney('en', { minor: 125_050n, currency: 'HKD' })).toBe('HK$1,250.50');
    expect(formatAmount('1250.50', 'HKD')).toBe('HK$1,250.50');
  });

  test('are added up exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { maxLength: 8 }), (minors) => {
        const sum = sumDecimals(minors.map((minor) => toDecimal({ minor, currency: 'HKD' })));
        const total = minors.reduce((sum, minor) => sum + minor, 0n);
        expect(decimalToMinor(sum, 'HKD')).toBe(total);
      }),
    );
  });

  test('are zero with any number of decimals and sign', () => {
    expect(['0', '0.00', '-0.00'].map((decimal) => [isZero(decimal), isNegative(decimal)])).toEqual(
      Array(3).fill([true, false]),
    );
    expect(isNegative('-0.01')).toBe(true);
  });
});

describe('times', () => {
  afterEach(() => {
    setDisplayTimeZone('UTC');
    syncServerClock(new Date().toUTCString());
  });

  test('are displayed in the display time zone', () => {
    setDisplayTimeZone('Pacific/Auckland');
    expect(formatMoment('2026-01-31T12:00:00Z', 'day')).toMatch(/Feb/);
    setDisplayTimeZone('America/New_York');
    expect(formatMoment('2026-02-01T03:00:00Z', 'day')).toMatch(/Jan/);
  });

  test('of a period are its days in the display time zone', () => {
    setDisplayTimeZone('Asia/Hong_Kong');
    const october = { from: '2026-09-30T16:00:00Z', before: '2026-10-30T16:00:00Z' };
    expect(formatPeriod(october)).toMatch(/^Oct 1\s–\s30$/);
    const afternoon = { from: '2026-10-29T16:00:00Z', before: '2026-10-30T07:30:00Z' };
    expect(formatPeriod(afternoon)).toBe('Oct 30');
  });

  test('are in the time zone of the browser by default', () => {
    const resetFormats = () => {
      setDisplayTimeZone('America/New_York');
      setDisplayTimeZone('UTC');
    };
    onTestFinished(() => {
      vi.unstubAllEnvs();
      resetFormats();
    });
    vi.stubEnv('TZ', 'Pacific/Auckland');
    resetFormats();
    expect(getDisplayTimeZone()).toBe('Pacific/Auckland');
    expect(formatMoment('2026-01-31T12:00:00Z', 'day')).toMatch(/Feb/);
  });

  test('display a day of the calendar as that day in every time zone', () => {
    const days = ['America/New_York', 'Pacific/Auckland'].map((zone) => {
      setDisplayTimeZone(zone);
      return formatMoment('2026-02-01T00:00:00.000Z', 'date');
    });
    expect(days).toEqual(['Feb 1, 2026', 'Feb 1, 2026']);
    expect(getRateFormat('2026-02-01T00:00:00.000Z')).toBe('date');
    expect(getRateFormat('2026-02-01T09:30:00.000Z')).toBe('day');
  });

  test('are entered in the display time zone', () => {
    setDisplayTimeZone('Pacific/Auckland');
    const time = new Date('2026-11-21T11:45:00Z');
    expect(toFieldTime(time)).toBe('2026-11-22T00:45');
    expect(parseFieldTime('2026-11-22T00:45')).toEqual(time);
    setDisplayTimeZone('America/New_York');
    expect(parseFieldTime(toFieldTime(time))).toEqual(time);
    expect(parseFieldTime('')).toBeNull();
    expect(parseFieldTime('soon')).toBeNull();
  });

  test('follow the clock of the server', () => {
    syncServerClock(new Date(Date.now() + 3_600_000).toUTCString());
    expect(Math.abs(serverNow().getTime() - Date.now() - 3_600_000)).toBeLessThan(10_000);
    syncServerClock('yesterday');
    syncServerClock(null);
    expect(serverNow().getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  });

  test('of bank lines have no time zone', () => {
    setDisplayTimeZone('America/New_York');
    expect(formatBankDate('2026-11-21')).toBe('Nov 21, 2026');
    expect(formatBankDate('2026-11-21T14:05:00')).toBe('Nov 21, 2026, 14:05:00');
  });

  test('have their date, today too', () => {
    setDisplayTimeZone('Asia/Hong_Kong');
    syncServerClock('Thu, 09 Jan 2031 12:00:00 GMT');
    expect(formatMoment('2031-01-09T11:00:00Z')).toMatch(/Jan 9, 2031/);
  });

  test('are in a time zone that can be selected by any of its names', () => {
    for (const zone of ['Asia/Ho_Chi_Minh', 'Asia/Saigon', 'Asia/Kolkata', 'Asia/Calcutta']) {
      expect(getTimeZoneOptions(zone).filter(({ value }) => value === zone)).toHaveLength(1);
    }
    const usual = { value: 'Asia/Ho_Chi_Minh', label: 'As the method’s country' };
    const options = getTimeZoneOptions('Asia/Ho_Chi_Minh', usual);
    expect(options.filter(({ value }) => value === usual.value)).toEqual([usual]);
    expect(options[0]).toBe(usual);
  });

  test('of a day begin in the display time zone, and today follows the server’s clock', () => {
    setDisplayTimeZone('Asia/Hong_Kong');
    expect(startOfDay('2026-11-21')?.toISOString()).toBe('2026-11-20T16:00:00.000Z');
    syncServerClock('Sat, 21 Nov 2026 23:30:00 GMT');
    expect(today('Asia/Hong_Kong')).toBe('2026-11-22');
    expect(today('America/New_York')).toBe('2026-11-21');
  });

  test('of the calendar have the next day and month', () => {
    expect(nextDay('2028-02-28')).toBe('2028-02-29');
    expect(nextDay('2026-12-31')).toBe('2027-01-01');
    expect(lastOfMonth('2026-02-10')).toBe('2026-02-28');
    expect(addMonths('2026-11-21', 2)).toBe('2027-01-01');
    expect(addMonths('2026-01-31', -1)).toBe('2025-12-01');
    expect([isWholeMonth('2026-02-01', '2026-02-28'), isWholeMonth('2026-02-01', '2026-02-27')]).toEqual([
      true,
      false,
    ]);
    expect(['2026-02-28', '2026-13-01', 'soon', null].map(isDay)).toEqual([true, false, false, false]);
  });
});

describe('inputs', () => {
  test.each([
    ['150.000', 'VND', '150000'],
    ['25,000', 'KRW', '25000'],
    ['17.900', 'IDR', '17900'],
    ['1,128.50', 'HKD', '1128.50'],
    ['1.128,50', 'EUR', '1128.50'],
    [' 1 128.50 ', 'HKD', '1128.50'],
    ['1’128.50', 'EUR', '1128.50'],
    ['250,000', 'HKD', '250000'],
    ['1,234,567.8', 'HKD', '1234567.8'],
    ['1.234.567', 'EUR', '1234567'],
    ['1,50,000', 'INR', '150000'],
    ['12,50', 'EUR', '12.50'],
    ['0,500', 'HKD', '0.500'],
    ['1500.000', 'HKD', '1500.000'],
    ['1.500', 'KWD', '1.500'],
    ['1,500', 'KWD', '1500'],
  ])('read %s %s as %s', (written, currency, expected) => {
    expect(parseAmount(written, currency, 'en')).toBe(expected);
  });

  test.each([
    ['1.500', 'EUR', 'en', 'Ambiguous: did you mean 1500.00 or 1.50?'],
    ['1.128', 'EUR', 'en', 'Did you mean 1128.00? EUR has 2 decimal places'],
    ['1,500', 'HKD', 'de', 'Ambiguous: did you mean 1500.00 or 1.50?'],
    ['1,500', 'KWD', 'de-CH', 'Ambiguous: did you mean 1500.000 or 1.500?'],
  ])('reject %s %s in the language %s: %s', (written, currency, locale, error) => {
    expect(() => parseAmount(written, currency, locale)).toThrow(error);
  });

  test.each(['a lot', '1,50,00', '1.500,00.0', '1.', ',5', 'HKD 1.500'])(
    'pass on %s, which the API rejects',
    (written) => {
      expect(decimalToMinor(parseAmount(written, 'HKD', 'en'), 'HKD')).toBeUndefined();
    },
  );

  test('read amounts as fields and languages write them', () => {
    const locales = ['en', 'en-HK', 'en-IN', 'de', 'de-CH', 'fr', 'vi', 'id', 'ko'];
    const minors = fc.bigInt({ min: 0n, max: 10n ** 14n });
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.constantFrom(...locales),
        minors,
        (currency, locale, minor) => {
          const decimal = toDecimal({ minor, currency });
          const read = (text: string) => decimalToMinor(parseAmount(text, currency, locale), currency);
          expect(read(toFieldAmount(decimal, currency))).toBe(minor);
          const digits = decimal.split('.')[1]?.length ?? 0;
          const written = new Intl.NumberFormat(locale, { minimumFractionDigits: digits });
          expect(read(written.format(decimal as Intl.StringNumericLiteral))).toBe(minor);
        },
      ),
    );
  });

  test('read rates with any number of decimals, and reject an ambiguous comma', () => {
    const written = ['9.2001', '9,2001', '9.200', '17,900.5', '17.900,5', '17900'];
    expect(written.map(parseRate)).toEqual(['9.2001', '9.2001', '9.200', '17900.5', '17900.5', '17900']);
    expect(() => parseRate('17,900')).toThrow('Ambiguous: did you mean 17900 or 17.900?');
  });

  test('warn of a rate far from the current one', () => {
    const warnings = ['17900', '9000', '17.9', '0', 'x'].map((rate) => formatRateDeviation(rate, '17950.5'));
    const warning = 'The current rate, 17950.5, is 1,000 times this rate.';
    expect(warnings).toEqual([undefined, undefined, warning, undefined, undefined]);
    expect(formatRateDeviation('40000', '17950.5')).toMatch(/^This rate is 2\.23 times the current rate/);
  });

  test('read quantities with thousands separators, and reject fractions', () => {
    const line = { ...createEmptyLine(0), name: 'Beads', quantity: '1,000', amount: '1.128,50' };
    expect(parseOrderLines([line], 'EUR')).toEqual([{ name: 'Beads', quantity: 1000, amount: '1128.50' }]);
    expect(() => parseOrderLines([{ ...line, quantity: '1.5' }], 'EUR')).toThrow(
      expect.objectContaining({ path: 'orders/0/quantity', message: 'Item 1: 1.5 is not a whole number' }),
    );
  });
});

describe('shares', () => {
  test.each([
    ['0', '0'],
    ['0.015', '1.5'],
    ['0.1', '10'],
    ['0.0125', '1.25'],
    ['0.02', '2'],
    ['0.0001', '0.01'],
  ])('%s is displayed and entered as %s %%', (share, percent) => {
    expect([fractionToPercent(share), percentToFraction(percent)]).toEqual([percent, share]);
  });

  test('are entered with a comma or sign, and invalid ones are passed on', () => {
    expect(['1,5', ' 2 % ', '-1', 'x', ''].map(percentToFraction)).toEqual(['0.015', '0.02', '-1', 'x', '']);
  });
});

test('a typed day moves the other end of a period only when the field loses the focus', () => {
  const typed = ['', '0002-11-30', '0020-11-30', '0202-11-30', '2025-11-30'];
  for (const day of typed)
    expect(updatePeriod(november, { end: 'to', day, isBlurred: false })).toBeUndefined();
  const blurred = updatePeriod(november, { end: 'to', day: '2025-11-30', isBlurred: true });
  expect(blurred).toEqual({ from: '2025-11-30', to: '2025-11-30' });
  expect(updatePeriod(november, { end: 'to', day: '0202-11-30', isBlurred: true })).toBeUndefined();
});

test('a day that fits a period is accepted immediately', () => {
  const selected = updatePeriod(november, { end: 'from', day: '2026-10-01', isBlurred: false });
  expect(selected).toEqual({ from: '2026-10-01', to: '2026-11-30' });
  expect(updatePeriod(november, { end: 'from', day: '2026-11-01', isBlurred: true })).toBeUndefined();
});

test.each(Object.keys(eventTypes))('the event %s has a label', (message) => {
  expect(formatEvent(message)).not.toBe(message.replaceAll('_', ' '));
});

test.each(languageCodes)('the language %s has a name', (code) => {
  expect(formatLanguage(code)).not.toBe(code);
});

test('the received amount distinguishes reversed charges from manually completed ones', () => {
  const allocations = [{ reason: 'matched' }, { reason: 'reversed' }];
  expect(formatNothingReceived({ status: 'completed', allocations })).toBe(
    'Nothing: the payment was reversed or unassigned',
  );
  const released = [{ reason: 'matched' }, { reason: 'charge_expired' }];
  expect(formatNothingReceived({ status: 'expired', allocations: released })).toBe(
    'Nothing: the charge expired or was cancelled before it was paid in full',
  );
  expect(formatNothingReceived({ status: 'completed', allocations: [] })).toBe(
    'Marked as paid without a transfer',
  );
  expect(formatNothingReceived({ status: 'pending', allocations: [] })).toBe('Nothing yet');
});

test('a reference of the merchant that is the Base64 of text is shown as that text', () => {
  for (const text of ['order-4720', 'Bestellung für 陳小明', 'a'])
    expect(formatOwnReference(Buffer.from(text).toString('base64'))).toBe(text);
  const unchanged = ['order-4720', 'Teas', 'd2b7f6a1-0000-4000-8000-000000000000', 'AAAA', ''];
  for (const reference of unchanged) expect(formatOwnReference(reference)).toBe(reference);
});

test('a form sends only changed members, with complete lists and emptied fields', () => {
  const before = { holder: 'Lau', minAmount: '5.00', weight: 1, schemes: ['shop'], countries: ['GB'] };
  const now = { ...before, minAmount: null, schemes: ['shop', 'app'], countries: ['GB'] };
  expect(diffInput<object>(before, now)).toEqual({ minAmount: null, schemes: ['shop', 'app'] });
  expect(diffInput(before, { ...before })).toEqual({});
});

test('every audit action has a different text', () => {
  expect(Object.keys(actionTexts).sort()).toEqual([...auditActions].sort());
  expect(new Set(Object.values(actionTexts)).size).toBe(auditActions.length);
});

test('the details of an audit entry are in words, with formatted amounts and the earlier state first', () => {
  const planId = 'pl_01m8mt7ysm18yyfs6xs9tdzczq';
  const examples: [object, [string, string][]][] = [
    [
      { email: 'mei@example.com', role: { from: 'cashier', to: 'owner' } },
      [
        ['Email', 'mei@example.com'],
        ['Role', 'Cashier → Owner'],
      ],
    ],
    [
      { charges: [planId], amount: '1234.50', currency: 'HKD' },
      [
        ['Amount', 'HK$1,234.50'],
        ['Charges', 'pl_01m8mt7ysm18y…'],
      ],
    ],
    [
      {
        plan: { from: planId, to: planId.replace('01m8', '01n9') },
        price: { from: '180.00', to: '200.00' },
        version: 3,
        currency: 'HKD',
      },
      [
        ['Plan', 'pl_01m8mt7ysm18y… → pl_01n9mt7ysm18y…'],
        ['Price', 'HK$180.00 → HK$200.00'],
      ],
    ],
    [
      { plan: { from: planId, to: planId }, price: { from: '180.00', to: '200.00' }, currency: 'HKD' },
      [['Price', 'HK$180.00 → HK$200.00']],
    ],
    [
      { kind: 'charges', isSigned: true, timeZone: { from: '', to: 'Asia/Tokyo' } },
      [
        ['Type', 'Charges'],
        ['Sign notifications (Standard Webhooks)', 'On'],
        ['Time zone', 'None → Tokyo'],
      ],
    ],
    [{ emailPayments: { from: 'off', to: 'at_once' } }, [['Payments · Email', 'Off → Immediately']]],
    [
      { newerField: 'value', name: 'owner' },
      [
        ['Newer field', 'value'],
        ['Name', 'owner'],
      ],
    ],
  ];
  for (const [detail, changes] of examples) expect(formatChanges(JSON.stringify(detail))).toEqual(changes);
});

test('every audit action of a merchant belongs to one filter', () => {
  const nouns = new Set(auditActions.map((action) => action.split('.')[0] as string));
  const prefixes = auditCategories.flatMap((category) => category.prefixes);
  expect([...prefixes, ...ofOperators].sort()).toEqual([...nouns].sort());
});

describe('the health of the installation', () => {
  const healthy: Parameters<typeof findProblems>[0] = {
    measuredAt: '2026-11-17T12:00:00.000Z',
    workerCount: 1,
    database: {
      version: '18.1',
      sizeBytes: 1,
      connectionCount: 80,
      maxConnectionCount: 100,
      processCount: 1,
    },
    queues: [{ name: 'events', waitingCount: 3, delaySeconds: 60 }],
    mail: { hasMailServer: true, hasSmsGateway: false, waitingCount: 1, failedCount: 0 },
    feeds: { newCount: 1, connectedCount: 1, lateCount: 0, failingCount: 0, pausedCount: 1 },
    webhooks: { failingCount: 0, disabledCount: 1 },
    disk: { freeBytes: 10, totalBytes: 100 },
  };

  test('has no problems at the limits, and none where a figure is unknown', () => {
    expect(findProblems(healthy)).toEqual([]);
    expect(findProblems({ ...healthy, workerCount: null, disk: null })).toEqual([]);
  });

  test('has a problem for each figure beyond its limit', () => {
    const problems = findProblems({
      ...healthy,
      workerCount: 0,
      database: { ...healthy.database, connectionCount: 81 },
      queues: [{ name: 'notifications', waitingCount: 3, delaySeconds: 200 }],
      mail: { ...healthy.mail, hasMailServer: false, failedCount: 1 },
      feeds: { ...healthy.feeds, lateCount: 2, failingCount: 1 },
      webhooks: { failingCount: 1, disabledCount: 0 },
      disk: { freeBytes: 1024 ** 3, totalBytes: 1024 ** 4 },
    });
    expect(problems.map((problem) => problem.split('.')[0])).toEqual([
      'No worker is running',
      'Webhook notifications: the oldest job has been waiting for 3 min',
      'The disk has only 1',
      '81 of 100 database connections are in use',
      'No mail server is configured, so no email is sent',
      '1 message couldn’t be sent in the last 24 hours',
      '1 bank feed is failing',
      '2 bank feeds have been silent for longer than usual',
      '1 webhook is failing',
    ]);
  });
});
