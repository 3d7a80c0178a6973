import { beforeAll, describe, expect, test } from 'vitest';
import { chargeCheckoutLink } from '../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { openCheckoutLink } from '../../src/domain/payments/checkout-link/open-checkout-link.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { doneOrCode } from '../setup/errors.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type ApiAuth, type GraphqlApp, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** What a checkout link is made of, how often it may be used, and until when. */

const clock = createFakeClock(noon);
let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
});

const fields = `id url amount currency orders { name } selectedMethods notifyPayload redirectUrl customer { email }
  usageCount usageLimit closedAt`;
const make = (input: object = {}, as?: ApiAuth) =>
  mutate(
    app,
    'createCheckoutLink',
    { amount: '5', currency: 'HKD', ...input },
    `checkoutLink { ${fields} }`,
    as,
  );
const close = (id: string, as?: ApiAuth) =>
  mutate(app, 'closeCheckoutLink', { id }, 'checkoutLink { closedAt }', as);

describe('createCheckoutLink', () => {
  test('answers where to send customers', async () => {
    const { checkoutLink } = await make({
      currency: 'USD',
      orders: [{ name: 'Tea' }],
      methods: ['prompt_pay', 'fps'],
      notifyPayload: 'x',
      redirectUrl: 'https://shop.example',
      customer: { email: 'ada@example.com' },
    });
    const { id } = checkoutLink;
    expect(checkoutLink).toMatchObject({
      url: `http://127.0.0.1:4000/checkout?link=${id}`,
      amount: '5.00',
      currency: 'USD',
      orders: [{ name: 'Tea' }],
      notifyPayload: 'x',
      redirectUrl: 'https://shop.example',
      customer: { email: 'ada@example.com' },
      usageCount: 0,
    });
    expect(checkoutLink.selectedMethods.sort()).toEqual(['fps', 'prompt_pay']);
    const { data } = await app.ask(
      `{ checkoutLink(id: "${id}") { id } checkoutLinks(first: 1) { nodes { id } } }`,
    );
    expect(data).toEqual({ checkoutLink: { id }, checkoutLinks: { nodes: [{ id }] } });
    const as = app.otherMerchant.keys.live;
    const { data: foreign } = await app.ask(
      `{ checkoutLink(id: "${id}") { id } checkoutLinks { totalCount } }`,
      { as },
    );
    expect(foreign).toEqual({ checkoutLink: null, checkoutLinks: { totalCount: 0 } });
  });

  test('without methods offers all of them', async () => {
    const { checkoutLink } = await make({ methods: [] }, app.merchant.keys.sandbox);
    expect(checkoutLink).toMatchObject({
      selectedMethods: null,
      url: expect.stringMatching(/isSandbox=true$/),
    });
  });

  test('with a wrong amount names its place', async () => {
    const refused = await make({ amount: '0.001' });
    expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ path: '/amount' }] });
  });
});

test('a link that is limited takes so many charges, however many come at once', async () => {
  const { service } = app.context;
  const { merchant } = app.merchant;
  const { checkoutLink } = await make({ usageLimit: 3 });
  expect(checkoutLink).toMatchObject({ usageCount: 0, usageLimit: 3, closedAt: null });
  const { link } = await openCheckoutLink(service, checkoutLink);
  const visitor = { address: '198.51.100.7' };
  const tries = Array.from({ length: 10 }, (_, i) => {
    const customer = { email: `link-${i}@example.com` };
    const given = { merchant, link, method: 'fps', customer, visitor, now: new Date() } as const;
    return doneOrCode(chargeCheckoutLink(service, given));
  });
  const came = await Promise.all(tries);
  expect(came.filter((one) => one === 'done')).toHaveLength(3);
  expect(came.filter((one) => one === 'link_closed')).toHaveLength(7);
  expect(await service.prisma.charge.count({ where: { checkoutLinkId: checkoutLink.id } })).toBe(3);
  const { data } = await app.ask(`{ checkoutLink(id: "${checkoutLink.id}") { usageCount usageLimit } }`);
  expect(data.checkoutLink).toEqual({ usageCount: 3, usageLimit: 3 });
  await expect(openCheckoutLink(service, checkoutLink)).rejects.toMatchObject({ code: 'link_closed' });
});

test('a link that was closed is opened no more', async () => {
  const { checkoutLink } = await make();
  expect((await close(checkoutLink.id)).__typename).toBe('CloseCheckoutLinkSuccess');
  const opened = openCheckoutLink(app.context.service, checkoutLink);
  await expect(opened).rejects.toMatchObject({ code: 'link_closed', status: 410 });
});

test('a closed link stays closed, and another merchant’s is not found', async () => {
  const { id, closedAt } = (await make()).checkoutLink;
  expect(closedAt).toBeNull();
  for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox])
    expect(await close(id, as)).toMatchObject({ code: 'checkout_link_not_found' });
  const first = await close(id);
  expect(first.checkoutLink.closedAt).toBe(noon.toISOString());
  clock.set(minutesAfter(noon, 1));
  expect(await close(id)).toEqual(first);
});

test.each([undefined, null])('without a limit (%s) it takes any number', async (usesLimit) => {
  expect((await make({ usageLimit: usesLimit })).checkoutLink.usageLimit).toBeNull();
});

test.each([0, -1, 1_000_001])('%i is no limit', async (usesLimit) => {
  expect(await make({ usageLimit: usesLimit })).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: '/usageLimit' }],
  });
});
