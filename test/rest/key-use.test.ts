import { beforeAll, expect, test } from 'vitest';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';

const clock = testClock(noon);
let app: TestApp;

beforeAll(async () => {
  app = await testApp({ clock });
});

const ask = (keys: Parameters<typeof callApi>[1]['keys']) =>
  callApi(app.app, { method: 'GET', url: '/charges', keys });

test('the last use is told to within five minutes, and is not written with every request', async () => {
  clock.set(noon);
  const { keys } = await makeMerchant(app.context.service);
  const { id, lastUsedAt: before } = await app.context.service.prisma.apiKey.findUniqueOrThrow({
    where: { key: keys.live.apiKey },
  });
  const used = async () =>
    (await app.context.service.prisma.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt;
  const version = async () => {
    const [row] = await app.context.service.prisma.$queryRaw<{ xmin: string }[]>`
      SELECT xmin::text FROM api_key WHERE id = ${id}`;
    return row?.xmin;
  };
  expect(before).toBeNull();
  await ask(keys.live);
  expect(await used()).toEqual(noon);
  const written = await version();
  clock.set(minutesAfter(noon, 4));
  await Promise.all(Array.from({ length: 20 }, () => ask(keys.live)));
  expect([await version(), await used()]).toEqual([written, noon]);
  clock.set(minutesAfter(noon, 5));
  await Promise.all(Array.from({ length: 20 }, () => ask(keys.live)));
  expect(await used()).toEqual(minutesAfter(noon, 5));
  await ask({ ...keys.live, apiSecret: 'cs_live_wrong' });
  clock.set(minutesAfter(noon, 60));
  await ask({ ...keys.live, apiSecret: 'cs_live_wrong' });
  expect(await used()).toEqual(minutesAfter(noon, 5));
  clock.set(noon);
});
