import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { getRate } from '../../../src/domain/platform/forex/get-rate.ts';
import { refreshRates } from '../../../src/domain/platform/forex/refresh-rates.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { Decimal } from '../../../src/kit/decimal.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { neverRespond, type ReceiverHandler, startReceiver } from '../../setup/receiver.ts';
import { noon as now } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** The job, against a server of feeds as they are met: well, ill, and worse. */

const terms = {
  mode: 'live',
  merchant: { demo: false, markup: new Decimal(0), maxRateAgeDays: 6 },
  now,
} as const;

let service: Service;
let origin: string;

beforeAll(async () => {
  service = await setupService(onCleanup);
  const feeds = await startReceiver((request, response) => {
    const answer = answers[new URL(request.path, 'http://feed').pathname];
    if (answer) answer(request, response);
    else response.writeHead(500).end();
  });
  onCleanup(feeds.stop);
  origin = feeds.url;
});
beforeEach(async () => {
  await service.prisma.forexRate.deleteMany();
});

const ecb = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube><Cube time='2026-11-16'><Cube currency='USD' rate='1.1720'/><Cube currency='HKD' rate='9.2001'/></Cube></Cube>
</gesmes:Envelope>`;
const newer = JSON.stringify({ base: 'USD', date: '2026-11-17', rates: { EUR: 0.85, HKD: 7.8, VND: 26000 } });
const huge = `{"base":"EUR","date":"2026-11-17","rates":{"HKD":1},"more":"${'x'.repeat(5 * 1024 * 1024)}"}`;

const answers: Record<string, ReceiverHandler> = {
  '/ecb.xml': (_request, response) => response.end(ecb),
  '/newer.json': (_request, response) => response.end(newer),
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

function refresh(paths: string[], options: { signal?: AbortSignal; timeoutMs?: number } = {}): Promise<void> {
  const settings = { ...service.settings, exchangeRateFeeds: paths.map((path) => origin + path) };
  const { signal = new AbortController().signal, timeoutMs = 5_000 } = options;
  return refreshRates({ ...service, settings }, { now, signal, timeoutMs });
}

const rate = async (from: string, to: string) => {
  const { rate: value, source } = await getRate(service, { ...terms, from, to });
  return [value.toString(), source.replace(origin.slice('http://'.length), '')];
};

test('ECB XML and JSON together: of each currency the newest', async () => {
  await refresh(['/ecb.xml', '/newer.json?key=secret']);
  expect(await rate('USD', 'HKD')).toEqual(['7.8', '/newer.json']);
  expect(await rate('USD', 'VND')).toEqual(['26000', '/newer.json']);
  expect(await service.prisma.forexRate.count({ where: { source: { contains: 'secret' } } })).toBe(0);
});

test.each([
  ['/gone', /responded with 500/],
  ['/page', /is not well-formed XML|must be a date/],
  ['/half', /is not well-formed XML/],
  ['/empty', /neither XML nor JSON/],
  ['/cut', /terminated|aborted|socket|closed/i],
  ['/huge', /larger than 4194304 bytes/],
  ['/bomb', /larger than 4194304 bytes/],
])('%s: told as a failure; what there was stays, and no other feed suffers', async (path, reason) => {
  await refresh(['/ecb.xml']);
  const failure = refresh([path, '/newer.json']);
  await expect(failure).rejects.toThrow(reason);
  await expect(failure).rejects.toThrow(`${origin.slice('http://'.length)}${path}`);
  expect(await rate('EUR', 'USD')).toEqual(['1.176470588', '/newer.json']);
  expect(await service.prisma.forexRate.count({ where: { source: { endsWith: '/ecb.xml' } } })).toBe(2);
});

test('a feed that does not answer, or not to the end, is given up', async () => {
  const failure = refresh(['/silent', '/drip', '/ecb.xml'], { timeoutMs: 1_500 });
  await expect(failure).rejects.toThrow(/\/silent: .*timeout.*\/drip: .*timeout/);
  expect(await rate('USD', 'HKD')).toEqual(['7.849914676', '/ecb.xml']);
});

test('stops at once with the service', async () => {
  const stopping = new AbortController();
  const refreshing = refresh(['/silent'], { signal: stopping.signal, timeoutMs: 60_000 });
  stopping.abort();
  await expect(refreshing).rejects.toThrow(/aborted/);
});
