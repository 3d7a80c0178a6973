import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importRates } from '../../../src/domain/forex/import-rates.ts';
import { findCurrencies, getRate } from '../../../src/domain/forex/rate.ts';
import { refreshRates } from '../../../src/domain/forex/refresh-rates.ts';
import type { Service } from '../../../src/domain/service.ts';
import { testService } from '../../setup/service.ts';

let service: Service;
const now = new Date('2026-11-17T12:00:00Z');
const live = { mode: 'live', demo: false, now } as const;

beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  await service.prisma.forexRate.deleteMany();
});

const ecb = (date: string, hkd: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <Cube><Cube time='${date}'><Cube currency='USD' rate='1.1720'/><Cube currency='HKD' rate='${hkd}'/></Cube>
  <Cube time='2026-11-01'><Cube currency='HKD' rate='1'/></Cube></Cube>
</gesmes:Envelope>`;
const json = (base: string, date: string, rates: object) => JSON.stringify({ base, date, rates });

const rate = async (from: string, to: string) =>
  (await getRate(service, { ...live, from, to })).rate.toString();

describe('rates', () => {
  test('from the ECB’s XML cross through the euro with ten significant digits', async () => {
    await importRates(service, { text: ecb('2026-11-16', '9.2001'), source: 'ecb', now });
    expect(await rate('EUR', 'HKD')).toBe('9.2001');
    expect(await rate('USD', 'HKD')).toBe('7.849914676');
    expect(await rate('HKD', 'USD')).toBe('0.1273899197');
    expect(await findCurrencies(service, live)).toEqual(['EUR', 'HKD', 'USD']);
  });

  test('from JSON with another base are kept against the euro', async () => {
    const text = json('USD', '2026-11-16', { EUR: 0.5, VND: 26000, XXX: 1 });
    await importRates(service, { text, source: 'usd', now });
    expect(await rate('USD', 'VND')).toBe('26000');
    expect(await rate('EUR', 'USD')).toBe('2');
  });

  test('of several feeds: for each currency the newest counts', async () => {
    await importRates(service, { text: ecb('2026-11-16', '9.5'), source: 'new', now });
    await importRates(service, {
      text: json('EUR', '2026-11-14', { HKD: 9.1, SGD: 1.5 }),
      source: 'old',
      now,
    });
    const { rate: hkd, source, asOf } = await getRate(service, { ...live, from: 'EUR', to: 'HKD' });
    expect([hkd.toString(), source, asOf.toISOString()]).toEqual(['9.5', 'new', '2026-11-16T00:00:00.000Z']);
    expect(await rate('EUR', 'SGD')).toBe('1.5');
  });

  test('older than six days refuse live conversions, by their own date', async () => {
    await importRates(service, {
      text: ecb('2026-11-11', '9.2'),
      source: 'ecb',
      now: new Date('2026-11-11T00:00:00Z'),
    });
    const ask = (at: string) => getRate(service, { ...live, now: new Date(at), from: 'USD', to: 'HKD' });
    expect((await ask('2026-11-17T00:00:00Z')).rate.gt(7)).toBe(true);
    await expect(ask('2026-11-17T00:00:00.001Z')).rejects.toMatchObject({ code: 'rate_stale' });
  });

  test('an older file does not replace newer rates of its source', async () => {
    await importRates(service, { text: ecb('2026-11-16', '9.5'), source: 'ecb', now });
    await importRates(service, { text: ecb('2026-11-10', '8'), source: 'ecb', now });
    expect(await rate('EUR', 'HKD')).toBe('9.5');
  });

  test.each([
    ['neither XML nor JSON', 'rates of today'],
    ['XML that is not well-formed', '<Cube time="2026-11-16">'],
    ['no date', json('EUR', '', { HKD: 9 })],
    ['a base that is none', json('XYZ', '2026-11-16', { HKD: 9 })],
    ['a rate of zero', json('EUR', '2026-11-16', { HKD: 0 })],
    ['a rate that is no number', json('EUR', '2026-11-16', { HKD: 'nine' })],
    ['no rates', json('EUR', '2026-11-16', {})],
    ['another base without the euro', json('USD', '2026-11-16', { HKD: 7.8 })],
  ])('%s: refused, and nothing is stored', async (_, text) => {
    await expect(importRates(service, { text, source: 'bad', now })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await service.prisma.forexRate.count()).toBe(0);
  });
});

test('the job reads every feed; one that fails keeps no other from being read', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/broken') response.writeHead(500).end();
    else response.end(ecb('2026-11-16', '9.2'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { ...service.settings, forexUrls: [`${origin}/broken`, `${origin}/daily.xml?key=secret`] };
  const refresh = refreshRates({ ...service, settings }, { now, signal: new AbortController().signal });
  await expect(refresh).rejects.toThrow(/\/broken: answered 500/);
  server.close();
  expect(await rate('EUR', 'HKD')).toBe('9.2');
  expect(await service.prisma.forexRate.count({ where: { source: { contains: 'secret' } } })).toBe(0);
});
