import { beforeAll, expect, test } from 'vitest';
import { chargeCheckoutLink } from '../../src/domain/checkout-link/charge-checkout-link.ts';
import { openCheckoutLink } from '../../src/domain/checkout-link/open-checkout-link.ts';
import { doneOrCode } from '../setup/done-or-code.ts';
import { type GraphqlApp, graphqlApp } from '../setup/graphql.ts';

/** How often a checkout link may be used, and until when. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp();
});

const create = `mutation ($input: CreateCheckoutLinkInput!) {
  createCheckoutLink(input: $input) {
    ... on CreateCheckoutLinkSuccess { checkoutLink { id uses usesLimit closedAt } }
    ... on InvalidRequestError { errors { path } }
    ... on Error { code }
  }
}`;
const make = async (usesLimit?: number | null) => {
  const input = { amount: '5', currency: 'HKD', ...(usesLimit !== undefined && { usesLimit }) };
  const { data } = await app.ask(create, { variables: { input } });
  return data.createCheckoutLink;
};

test('a link that is limited takes so many charges, however many come at once', async () => {
  const { service } = app.context;
  const { merchant } = app.merchant;
  const { checkoutLink } = await make(3);
  expect(checkoutLink).toMatchObject({ uses: 0, usesLimit: 3, closedAt: null });
  const { link } = await openCheckoutLink(service, checkoutLink);
  const tries = Array.from({ length: 10 }, (_, i) => {
    const customer = { email: `link-${i}@example.com` };
    const given = { merchant, link, method: 'fps', customer, now: new Date() } as const;
    return doneOrCode(chargeCheckoutLink(service, given));
  });
  const came = await Promise.all(tries);
  expect(came.filter((one) => one === 'done')).toHaveLength(3);
  expect(came.filter((one) => one === 'link_closed')).toHaveLength(7);
  expect(await service.prisma.charge.count({ where: { checkoutLinkId: checkoutLink.id } })).toBe(3);
  const { data } = await app.ask(`{ checkoutLink(id: "${checkoutLink.id}") { uses usesLimit } }`);
  expect(data.checkoutLink).toEqual({ uses: 3, usesLimit: 3 });
  await expect(openCheckoutLink(service, checkoutLink)).rejects.toMatchObject({ code: 'link_closed' });
});

test('a link that was closed is opened no more', async () => {
  const { checkoutLink } = await make();
  const close = `mutation { closeCheckoutLink(input: { id: "${checkoutLink.id}" }) { __typename } }`;
  expect((await app.ask(close)).data.closeCheckoutLink.__typename).toBe('CloseCheckoutLinkSuccess');
  const opened = openCheckoutLink(app.context.service, checkoutLink);
  await expect(opened).rejects.toMatchObject({ code: 'link_closed', status: 410 });
});

test.each([undefined, null])('without a limit (%s) it takes any number', async (usesLimit) => {
  expect((await make(usesLimit)).checkoutLink.usesLimit).toBeNull();
});

test.each([0, -1, 1_000_001])('%i is no limit', async (usesLimit) => {
  expect(await make(usesLimit)).toEqual({ code: 'invalid_request', errors: [{ path: '/usesLimit' }] });
});
