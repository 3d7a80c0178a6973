import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { getRate } from '../../../src/domain/platform/forex/get-rate.ts';
import { refreshRates } from '../../../src/domain/platform/forex/refresh-rates.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { Decimal } from '../../../src/kit/decimal.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { neverRespond, type ReceiverHandler, startReceiver } from '../../setup/receiver.ts';
import { noon as now } from '../../setup/seed.ts';

const terms = {
  mode: 'live',
  merchant: { demo: false, markup: new Decimal(0), maxRateAgeDays: 6 },
  now,
} as const;

const test = serviceTest.extend('origin', { scope: 'file' }, async ({ onFileCleanup }) => {
  const feeds = await startReceiver((request, response) => {
    const handler = handlers[new URL(request.path, 'http://feed').pathname];
    if (handler) handler(request, response);
    else response.writeHead(500).end();
  });
  onFileCleanup(feeds.stop);
  return feeds.url;
});
test.beforeEach(async ({ service }) => {
  await service.prisma.forexRate.deleteMany();
});

const ecb = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube><Cube time='2026-11-16'><Cube currency='USD' rate='1.1720'/><Cube currency='HKD' rate='9.2001'/></Cube></Cube>
</gesmes:Envelope>`;
const newer = JSON.stringify({ base: 'USD', date: '2026-11-17', rates: { EUR: 0.85, HKD: 7.8, VND: 26000 } });
const huge = `{"base":"EUR","date":"2026-11-17","rates":{"HKD":1},"more":"${'x'.repeat(5 * 1024 * 1024)}"}`;

const handlers: Record<string, ReceiverHandler> = {
  '/ecb.xml': (_request, response) => response.end(ecb),
  '/newer.json': (_request, response) => response.end(newer),
  '/base': ({ path }, response) => {
    const base = new URL(path, 'http://feed').searchParams.get('base');
    const rates = base === 'EUR' ? { HKD: 9.2 } : { EUR: 0.5, VND: 26000 };
    response.end(JSON.stringify({ base, date: '2026-11-17', rates }));
  },
  '/page': (_request, response) => response.end('<!doctype html><p>Moved'),
  '/half': (_request, response) => response.end(ecb.slice(0, 300)),
  '/empty': (_request, response) => response.end(),
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write(ecb.slice(0, 100), () => response.destroy());
  },
  '/huge': (_request, response) => response.end(huge),
  '/bomb': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(huge));
  },
  '/silent': neverRespond(),
  '/drip': (_request, response) => {
    response.writeHead(200);
    response.write('{"base":');
  },
};

function refresh(
  service: Service,
  origin: string,
  paths: string[],
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<void> {
  const settings = { ...service.settings, exchangeRateFeeds: paths.map((path) => origin + path) };
  const { signal = new AbortController().signal, timeoutMs = 5_000 } = options;
  return refreshRates({ ...service, settings }, { now, signal, timeoutMs });
}

const readRate = async (service: Service, origin: string, from: string, to: string) => {
  const { rate: value, source } = await getRate(service, { ...terms, from, to });
  return [value.toString(), source.replace(origin.slice('http://'.length), '')];
};

test('a refresh uses the newest rate of each currency of ECB XML and JSON', async ({ service, origin }) => {
  await refresh(service, origin, ['/ecb.xml', '/newer.json?key=secret']);
  expect(await readRate(service, origin, 'USD', 'HKD')).toEqual(['7.8', '/newer.json']);
  expect(await readRate(service, origin, 'USD', 'VND')).toEqual(['26000', '/newer.json']);
  expect(await service.prisma.forexRate.count({ where: { source: { contains: 'secret' } } })).toBe(0);
});

test('a refresh keeps the rates of feeds that differ only in the query, without naming the query', async ({
  service,
  origin,
}) => {
  const paths = ['/base?base=EUR&key=secret', '/base?base=USD&key=secret'];
  for (let i = 0; i < 2; i++) {
    await refresh(service, origin, paths);
    expect((await readRate(service, origin, 'EUR', 'HKD'))[0]).toBe('9.2');
    expect((await readRate(service, origin, 'USD', 'VND'))[0]).toBe('26000');
  }
  const rows = await service.prisma.forexRate.findMany({ distinct: ['source'] });
  expect(rows.map(({ source }) => source)).toEqual([
    expect.stringMatching(/\/base#[\da-f]{8}$/),
    expect.stringMatching(/\/base#[\da-f]{8}$/),
  ]);
});

test.for([
  ['/gone', /responded with 500/],
  ['/page', /is not well-formed XML|must be a date/],
  ['/half', /is not well-formed XML/],
  ['/empty', /neither XML nor JSON/],
  ['/cut', /terminated|aborted|socket|closed/i],
  ['/huge', /larger than 4194304 bytes/],
  ['/bomb', /larger than 4194304 bytes/],
] as const)(
  'a refresh reports an error for %s, and keeps earlier rates and those of other feeds',
  async ([path, reason], { service, origin }) => {
    await refresh(service, origin, ['/ecb.xml']);
    const failure = refresh(service, origin, [path, '/newer.json']);
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.toThrow(`${origin.slice('http://'.length)}${path}`);
    expect(await readRate(service, origin, 'EUR', 'USD')).toEqual(['1.176470588', '/newer.json']);
    expect(await service.prisma.forexRate.count({ where: { source: { endsWith: '/ecb.xml' } } })).toBe(2);
  },
);

test('a refresh aborts a feed that does not respond completely', async ({ service, origin }) => {
  const failure = refresh(service, origin, ['/silent', '/drip', '/ecb.xml'], { timeoutMs: 1_500 });
  await expect(failure).rejects.toThrow(/\/silent: .*timeout.*\/drip: .*timeout/);
  expect(await readRate(service, origin, 'USD', 'HKD')).toEqual(['7.849914676', '/ecb.xml']);
});

test('a refresh ends immediately with the service', async ({ service, origin }) => {
  const stopping = new AbortController();
  const refreshing = refresh(service, origin, ['/silent'], { signal: stopping.signal, timeoutMs: 60_000 });
  stopping.abort();
  await expect(refreshing).rejects.toThrow(/aborted/);
});
