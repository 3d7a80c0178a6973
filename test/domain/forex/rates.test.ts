import { describe, expect, vi } from 'vitest';
import { findCurrencies } from '../../../src/domain/platform/forex/find-currencies.ts';
import { getRate, listRates } from '../../../src/domain/platform/forex/get-rate.ts';
import { importRates } from '../../../src/domain/platform/forex/import-rates.ts';
import { setExchangeRate } from '../../../src/domain/platform/forex/manual-rates.ts';
import { parseRates } from '../../../src/domain/platform/forex/parse-rates.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { Decimal } from '../../../src/kit/decimal.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { minutesAfter, noon as now } from '../../setup/seed.ts';

const merchant = { demo: false, markup: new Decimal(0), maxRateAgeDays: 6 };
const live = { mode: 'live', merchant, now } as const;

test.beforeEach(async ({ service }) => {
  await service.prisma.forexRate.deleteMany();
});

const ecb = (date: string, hkd: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <Cube><Cube time='${date}'><Cube currency='USD' rate='1.1720'/><Cube currency='HKD' rate='${hkd}'/></Cube>
  <Cube time='2026-11-01'><Cube currency='HKD' rate='1'/></Cube></Cube>
</gesmes:Envelope>`;
const json = (base: string, date: string, rates: object) => JSON.stringify({ base, date, rates });

const getRateValue = async (service: Service, from: string, to: string) =>
  (await getRate(service, { ...live, from, to })).rate.toString();

describe('Exchange rates', () => {
  test('from the ECB’s XML cross through the euro with ten significant digits', async ({ service }) => {
    await importRates(service, { text: ecb('2026-11-16', '9.2001'), source: 'ecb', now });
    expect(await getRateValue(service, 'EUR', 'HKD')).toBe('9.2001');
    expect(await getRateValue(service, 'USD', 'HKD')).toBe('7.849914676');
    expect(await getRateValue(service, 'HKD', 'USD')).toBe('0.1273899197');
    expect(await findCurrencies(service, live)).toEqual(['EUR', 'HKD', 'USD']);
  });

  test('from JSON with another base are stored against the euro', async ({ service }) => {
    const text = json('USD', '2026-11-16', { EUR: 0.5, VND: 26000, XXX: 1 });
    await importRates(service, { text, source: 'usd', now });
    expect(await getRateValue(service, 'USD', 'VND')).toBe('26000');
    expect(await getRateValue(service, 'EUR', 'USD')).toBe('2');
  });

  test('of several feeds are the newest of each currency', async ({ service }) => {
    await importRates(service, { text: ecb('2026-11-16', '9.5'), source: 'new', now });
    await importRates(service, {
      text: json('EUR', '2026-11-14', { HKD: 9.1, SGD: 1.5 }),
      source: 'old',
      now,
    });
    const { rate: hkd, source, asOf } = await getRate(service, { ...live, from: 'EUR', to: 'HKD' });
    expect([hkd.toString(), source, asOf.toISOString()]).toEqual(['9.5', 'new', '2026-11-16T00:00:00.000Z']);
    expect(await getRateValue(service, 'EUR', 'SGD')).toBe('1.5');
  });

  test('older than six days are not used for live conversions', async ({ service }) => {
    await importRates(service, {
      text: ecb('2026-11-11', '9.2'),
      source: 'ecb',
      now: new Date('2026-11-11T00:00:00Z'),
    });
    const readRate = (time: string) =>
      getRate(service, { ...live, now: new Date(time), from: 'USD', to: 'HKD' });
    expect((await readRate('2026-11-17T00:00:00Z')).rate.gt(7)).toBe(true);
    await expect(readRate('2026-11-17T00:00:00.001Z')).rejects.toMatchObject({ code: 'rate_stale' });
  });

  test('that an operator sets apply until a feed has a later date, also if its date is in the future', async ({
    service,
  }) => {
    const tomorrow = json('EUR', '2026-11-18', { HKD: 9.2 });
    await importRates(service, { text: tomorrow, source: 'feed', now });
    await setExchangeRate(service, { actor: 'user:usr_1', now, currency: 'HKD', rate: '9.4' });
    const readRates = async () =>
      (await listRates(service)).map(({ source, isApplicable }) => [source, isApplicable]);
    expect(await readRates()).toEqual([
      ['manual', true],
      ['feed', false],
    ]);
    expect(await getRateValue(service, 'EUR', 'HKD')).toBe('9.4');
    // The feed is read again with the same date.
    await importRates(service, { text: tomorrow, source: 'feed', now: minutesAfter(now, 60) });
    expect(await getRateValue(service, 'EUR', 'HKD')).toBe('9.4');
    const dayAfter = json('EUR', '2026-11-19', { HKD: 9.3 });
    await importRates(service, { text: dayAfter, source: 'feed', now: minutesAfter(now, 24 * 60) });
    expect(await getRateValue(service, 'EUR', 'HKD')).toBe('9.3');
  });

  test('of the same date are those that were fetched last', async ({ service }) => {
    const later = new Date(now.getTime() + 60_000);
    await importRates(service, { text: json('EUR', '2026-11-16', { HKD: 9.2 }), source: 'b', now });
    await importRates(service, { text: json('EUR', '2026-11-16', { HKD: 9.3 }), source: 'a', now: later });
    expect(await getRateValue(service, 'EUR', 'HKD')).toBe('9.3');
  });

  test('are the newer ones after two concurrent imports of a feed', async ({ service }) => {
    for (let i = 0; i < 20; i++) {
      await service.prisma.forexRate.deleteMany();
      const texts = [ecb('2026-11-10', '8'), ecb('2026-11-16', '9.5')];
      await Promise.all(texts.map((text) => importRates(service, { text, source: 'ecb', now })));
      expect(await getRateValue(service, 'EUR', 'HKD')).toBe('9.5');
    }
  });

  test('are not listed if they are older than the maximum age of the merchant', async ({ service }) => {
    await importRates(service, { text: json('EUR', '2026-11-16', { HKD: 9.2 }), source: 'new', now });
    await importRates(service, { text: json('EUR', '2026-11-08', { SGD: 1.5 }), source: 'old', now });
    expect(await findCurrencies(service, live)).toEqual(['EUR', 'HKD']);
    const patient = { ...live, merchant: { ...merchant, maxRateAgeDays: 10 } };
    expect(await findCurrencies(service, patient)).toEqual(['EUR', 'HKD', 'SGD']);
    const strict = { ...live, merchant: { ...merchant, maxRateAgeDays: 1 } };
    expect(await findCurrencies(service, strict)).toEqual([]);
    await expect(getRate(service, { ...strict, from: 'EUR', to: 'HKD' })).rejects.toMatchObject({
      code: 'rate_stale',
    });
  });

  test('of the snapshot are used in the sandbox and the demo until there are newer ones, and never live', async ({
    service,
  }) => {
    const sandbox = { ...live, mode: 'sandbox' } as const;
    const demo = { ...live, merchant: { ...merchant, demo: true } };
    const readRate = (terms: typeof live | typeof sandbox | typeof demo) =>
      getRate(service, { ...terms, from: 'EUR', to: 'HKD' });
    await expect(readRate(live)).rejects.toMatchObject({ code: 'rate_unavailable' });
    expect(await findCurrencies(service, live)).toEqual([]);
    expect(await readRate(sandbox)).toMatchObject({ source: 'snapshot 2025-06-30' });
    await importRates(service, { text: json('EUR', '2025-01-02', { HKD: 8 }), source: 'older', now });
    expect([await readRate(sandbox), await readRate(demo)]).toMatchObject([
      { source: 'snapshot 2025-06-30' },
      { source: 'snapshot 2025-06-30' },
    ]);
    await importRates(service, { text: json('EUR', '2025-08-02', { HKD: 8.5 }), source: 'newer', now });
    expect([await readRate(sandbox), await readRate(demo)]).toMatchObject([
      { source: 'newer' },
      { source: 'newer' },
    ]);
    await expect(readRate(live)).rejects.toMatchObject({ code: 'rate_stale' });
  });

  test('include and report the markup of the merchant, except for the same currency', async ({ service }) => {
    await importRates(service, {
      text: json('EUR', '2026-11-16', { HKD: 9.2, USD: 1.15 }),
      source: 'f',
      now,
    });
    const marked = { ...live, merchant: { ...merchant, markup: new Decimal('0.015') } };
    const { rate: up, source } = await getRate(service, { ...marked, from: 'USD', to: 'HKD' });
    expect([up.toString(), source]).toEqual(['8.12', 'f + markup 0.015']);
    const same = await getRate(service, { ...marked, from: 'HKD', to: 'HKD' });
    expect(same.rate.toString()).toBe('1');
  });

  test('are not replaced by an older file of the same source', async ({ service }) => {
    await importRates(service, { text: ecb('2026-11-16', '9.5'), source: 'ecb', now });
    await importRates(service, { text: ecb('2026-11-10', '8'), source: 'ecb', now });
    expect(await getRateValue(service, 'EUR', 'HKD')).toBe('9.5');
  });

  test.each([
    ['2026-11-16', '2026-11-16T00:00:00.000Z'],
    ['2026-11-16 10:00:00', '2026-11-16T10:00:00.000Z'],
    ['2026-11-16T10:00', '2026-11-16T10:00:00.000Z'],
    ['2026-11-16T10:00:00.5+08:00', '2026-11-16T02:00:00.500Z'],
    ['2026-11-16 10:00:00 +0800', '2026-11-16T02:00:00.000Z'],
  ])('dated %s are of %s, in any time zone of the service', (date, asOf) => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    try {
      expect(now.getHours()).toBe(21);
      expect(parseRates(json('EUR', date, { HKD: 9.2 })).asOf.toISOString()).toBe(asOf);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.for([
    ['neither XML nor JSON', 'rates of today'],
    ['XML that is not well-formed', '<Cube time="2026-11-16">'],
    ['no date', json('EUR', '', { HKD: 9 })],
    ['a date with more behind it', json('EUR', '2026-11-16 (Monday)', { HKD: 9 })],
    ['an invalid base', json('XYZ', '2026-11-16', { HKD: 9 })],
    ['a rate of zero', json('EUR', '2026-11-16', { HKD: 0 })],
    ['a rate that is no number', json('EUR', '2026-11-16', { HKD: 'nine' })],
    ['a rate that no currency has', json('EUR', '2026-11-16', { HKD: 1e-12 })],
    ['a rate beyond all measure', json('EUR', '2026-11-16', { HKD: 1e13 })],
    ['no object', 'null'],
    ['a list', '[]'],
    ['a date of the day after tomorrow', json('EUR', '2026-11-19', { HKD: 9 })],
    ['no rates', json('EUR', '2026-11-16', {})],
    ['another base without the euro', json('USD', '2026-11-16', { HKD: 7.8 })],
  ] as const)('are not stored from %s', async ([_, text], { service }) => {
    await expect(importRates(service, { text, source: 'bad', now })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await service.prisma.forexRate.count()).toBe(0);
  });
});
