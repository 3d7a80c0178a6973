import { beforeAll, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { callApi } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/**
 * Finding 3 of the penetration test of 22 November 2026: a secure-mode hash that was created with a sandbox key was valid
 * in live, also for merchants without restricted access, who cannot create one there.
 */

let app: GraphqlApp;
let charges = 0;
const terms = { merchantAmount: 1, merchantCurrency: 'HKD' };

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  await app.context.service.prisma.merchant.updateMany({ data: { secureMode: true } });
});

async function createHash(mode: Mode, more: object = {}, of = app.merchant): Promise<string> {
  const call = {
    method: 'POST',
    url: '/charges/hash',
    keys: of.keys[mode],
    body: { ...terms, ...more },
  } as const;
  const { status, text } = await callApi(app.app, call);
  expect(status).toBe(200);
  return text;
}

const customer = () => ({ email: `payer${++charges}@example.com`, method: 'fps' });

/** How each place that takes a hash answers to it: what it says, or the error's code. */
const places: Record<string, (mode: Mode, hash: string) => Promise<unknown>> = {
  async 'POST /charges'(mode, hash) {
    const body = { ...terms, ...customer(), hash };
    const { json } = await callApi(app.app, {
      ...{ method: 'POST', url: '/charges', keys: app.merchant.keys[mode], body },
    });
    return json.status === 'pending' ? 'accepted' : json.code;
  },
  async createCharge(mode, hash) {
    const input = { ...terms, merchantAmount: '1', ...customer(), hash };
    const { code } = await mutate(app, 'createCharge', input, '', app.merchant.keys[mode]);
    return code ?? 'accepted';
  },
  async 'the checkout address'(mode, hash) {
    const query = new URLSearchParams({
      ...{ apiKey: app.merchant.keys[mode].publishableKey, amount: '1', currency: 'HKD', hash },
      ...(mode === 'sandbox' && { isSandbox: 'true' }),
    });
    const { statusCode } = await app.app.inject(`/checkout?${query}`);
    return { 200: 'accepted', 422: 'hash_mismatch' }[statusCode] ?? statusCode;
  },
};

test.each(Object.keys(places))('a hash of one mode is rejected in the other at %s', async (place) => {
  const send = places[place]!;
  const [live, sandbox] = [await createHash('live'), await createHash('sandbox')];
  expect([await send('live', live), await send('sandbox', sandbox)]).toEqual(['accepted', 'accepted']);
  expect([await send('live', sandbox), await send('sandbox', live)]).toEqual([
    'hash_mismatch',
    'hash_mismatch',
  ]);
});

test('GraphQL and REST create the same hash in a mode', async () => {
  const input = { ...terms, merchantAmount: '1' };
  for (const mode of ['live', 'sandbox'] as const) {
    const keys = app.merchant.keys[mode];
    const { hash } = await mutate(app, 'createChargeHash', input, 'hash', keys);
    expect(hash).toBe(await createHash(mode));
  }
});

test('a merchant without restricted access opens no live checkout with a hash of its sandbox', async () => {
  const now = new Date();
  const restricted = await seedMerchant(app.context.service, { restricted: 'none' }, now);
  const { id } = restricted.merchant;
  await app.context.service.prisma.merchant.update({ where: { id }, data: { secureMode: true } });
  const call = { method: 'POST', url: '/charges/hash', keys: restricted.keys.live, body: terms } as const;
  expect((await callApi(app.app, call)).json.code).toBe('restricted_endpoint');
  const hash = await createHash('sandbox', { notifyPayload: 'order-77' }, restricted);
  const apiKey = restricted.keys.live.publishableKey;
  const query = new URLSearchParams({
    apiKey,
    amount: '1',
    currency: 'HKD',
    notifyPayload: 'order-77',
    hash,
  });
  expect((await app.app.inject(`/checkout?${query}`)).statusCode).toBe(422);
});
