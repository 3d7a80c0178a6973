import { beforeAll, describe, expect, test } from 'vitest';
import { seedSession } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
const now = new Date();

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

describe('another merchant, and the other mode', () => {
  const all = `query ($id: ID!, $session: ID!) {
    charge(id: $id) { id } node(id: $id) { id } nodes(ids: [$id, $session]) { id } session(id: $session) { id }
  }`;

  test('see nothing of a charge or session', async () => {
    const { service } = app.context;
    const charge = await seedCharge(service, app.merchant, { now });
    const session = await seedSession(service, app.merchant, { now });
    const variables = { id: charge.id, session: session.id };
    const { data: mine } = await app.ask(all, { variables });
    expect(mine).toEqual({
      charge: { id: charge.id },
      node: { id: charge.id },
      nodes: [{ id: charge.id }, { id: variables.session }],
      session: { id: variables.session },
    });
    for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox]) {
      const { data } = await app.ask(all, { variables, as });
      expect(data).toEqual({ charge: null, node: null, nodes: [null, null], session: null });
    }
  });
});

test('me is the calling merchant, in the mode of the credentials', async () => {
  const query =
    '{ me { id name mode restrictedAccess isDemo isSecureModeEnabled underpaymentTolerance redirectSchemes } }';
  const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
  expect(data.me).toEqual({
    id: app.merchant.merchant.id,
    name: 'Harbour Teas',
    mode: 'sandbox',
    restrictedAccess: 'granted',
    isDemo: true,
    isSecureModeEnabled: false,
    underpaymentTolerance: '0',
    redirectSchemes: [],
  });
});
