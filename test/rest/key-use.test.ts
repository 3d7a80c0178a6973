import { expect } from 'vitest';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest as test } from '../setup/fixtures.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';

const request = (app: TestApp, keys: Parameters<typeof callApi>[1]['keys']) =>
  callApi(app.app, { method: 'GET', url: '/charges', keys });

test('The last use of a key is accurate to five minutes, and not written with every request', async ({
  app,
  clock,
}) => {
  clock.set(noon);
  const { keys } = await seedMerchant(app.context.service);
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
  await request(app, keys.live);
  expect(await used()).toEqual(noon);
  const written = await version();
  clock.set(minutesAfter(noon, 4));
  await Promise.all(Array.from({ length: 20 }, () => request(app, keys.live)));
  expect([await version(), await used()]).toEqual([written, noon]);
  clock.set(minutesAfter(noon, 5));
  await Promise.all(Array.from({ length: 20 }, () => request(app, keys.live)));
  expect(await used()).toEqual(minutesAfter(noon, 5));
  await request(app, { ...keys.live, apiSecret: 'cs_live_wrong' });
  clock.set(minutesAfter(noon, 60));
  await request(app, { ...keys.live, apiSecret: 'cs_live_wrong' });
  expect(await used()).toEqual(minutesAfter(noon, 5));
  clock.set(noon);
});
