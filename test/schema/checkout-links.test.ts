import { expect } from 'vitest';
import { chargeCheckoutLink } from '../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { openCheckoutLink } from '../../src/domain/payments/checkout-link/open-checkout-link.ts';
import { fakeTimeGraphqlTest as test } from '../setup/app-fixtures.ts';
import { type ApiAuth, type GraphqlApp, mutate } from '../setup/graphql.ts';
import { minutesAfter, noon } from '../setup/seed.ts';

const createLink = (app: GraphqlApp, input: object = {}, as?: ApiAuth) =>
  mutate(app, 'createCheckoutLink', { amount: '5', currency: 'HKD', ...input }, 'checkoutLink { id }', as);

test('a link is renamed and accepts charges until another time, also after it has expired', async ({
  app,
  clock,
}) => {
  const { service } = app.context;
  const update = (input: object, as?: ApiAuth) =>
    mutate(app, 'updateCheckoutLink', input, 'checkoutLink { name expiresAt isExpired }', as);
  const { checkoutLink } = await createLink(app, {
    name: 'Stall',
    expiresAt: minutesAfter(noon, 60).toISOString(),
  });
  const { id } = checkoutLink;
  clock.set(minutesAfter(noon, 61));
  const now: Date = clock.now();
  expect(await update({ id, name: 'Market stall' })).toMatchObject({
    checkoutLink: { name: 'Market stall', isExpired: true },
  });
  expect(await update({ id, expiresAt: noon.toISOString() })).toMatchObject({
    errors: [{ path: '/expiresAt' }],
  });
  const expiresAt = minutesAfter(now, 60).toISOString();
  expect((await update({ id, expiresAt })).checkoutLink).toEqual({
    name: 'Market stall',
    expiresAt,
    isExpired: false,
  });
  await openCheckoutLink(service, { id, systemNow: now });
  const { checkoutLink: endless } = await update({ id, name: null, expiresAt: null });
  expect(endless).toEqual({ name: null, expiresAt: null, isExpired: false });
  const { data } = await app.ask(`{ auditEntries(filter: { objectId: "${id}" }) { nodes { detailsJson } } }`);
  expect(
    data.auditEntries.nodes.map((entry: { detailsJson: string }) => JSON.parse(entry.detailsJson)),
  ).toEqual([
    { name: { from: 'Market stall', to: null }, expiresAt: { from: expiresAt, to: null } },
    { expiresAt: { from: minutesAfter(noon, 60).toISOString(), to: expiresAt } },
    { name: { from: 'Stall', to: 'Market stall' } },
    {},
  ]);
  const foreign = await update({ id, name: 'x' }, app.otherMerchant.keys.live);
  expect(foreign).toMatchObject({ code: 'checkout_link_not_found' });
  await mutate(app, 'closeCheckoutLink', { id }, 'checkoutLink { id }');
  await update({ id, name: 'Closed' });
  await expect(openCheckoutLink(service, { id, systemNow: now })).rejects.toMatchObject({
    code: 'link_closed',
  });
});

test('a link counts its paid charges, and is a filter of the list of charges', async ({ app }) => {
  const { service } = app.context;
  const { merchant } = app.merchant;
  const as = app.merchant.keys.sandbox;
  const { checkoutLink } = await createLink(app, {}, as);
  await createLink(app, {}, as);
  const link = await service.prisma.checkoutLink.findUniqueOrThrow({ where: { id: checkoutLink.id } });
  const ids: string[] = [];
  for (const email of ['first@example.com', 'second@example.com']) {
    const visitor = { ipAddress: '198.51.100.7' };
    const options = { merchant, link, method: 'fps', customer: { email }, visitor, now: noon } as const;
    ids.push((await chargeCheckoutLink(service, options)).id);
  }
  await mutate(app, 'completeSandboxCharge', { id: ids[0] }, 'charge { id }', as);
  const { data } = await app.ask(
    `{ checkoutLink(id: "${link.id}") { usageCount paidCount }
      charges(filter: { checkoutLinkId: "${link.id}" }) { totalCount nodes { id } } }`,
    { as },
  );
  expect(data).toEqual({
    checkoutLink: { usageCount: 2, paidCount: 1 },
    charges: {
      totalCount: 2,
      nodes: ids
        .sort()
        .reverse()
        .map((id) => ({ id })),
    },
  });
});
