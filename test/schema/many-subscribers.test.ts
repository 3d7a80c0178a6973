import { beforeAll, expect, test } from 'vitest';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  setupGraphqlApp,
  subscribeOverWebSocket,
  toAuthorization,
} from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
const now = new Date();

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const follow = 'subscription ($id: ID!) { chargeUpdated(id: $id) { id status } }';
const chargeOf = (email: string) => seedCharge(app.context.service, app.merchant, { input: { email }, now });

test('every one of many subscribers is told, each on a connection of its own', async () => {
  const { id, merchantId, mode } = await chargeOf('many@example.com');
  const streams = Array.from({ length: count(100, 1_000) }, () =>
    subscribeOverWebSocket(onCleanup, app.url, app.merchant.keys.live, follow, { id }),
  );
  const first = await Promise.all(streams.map((stream) => stream.next()));
  expect(new Set(first.map(({ data }) => data.chargeUpdated.status))).toEqual(new Set(['pending']));
  await cancelCharge(app.context.service, { merchantId, mode, id, by: 'merchant', actor: 'key:test', now });
  const second = await Promise.all(streams.map((stream) => stream.next()));
  expect(second).toEqual(streams.map(() => ({ data: { chargeUpdated: { id, status: 'cancelled' } } })));
  await Promise.all(streams.map((stream) => stream.close()));
});

test('one connection has at most 100 operations at a time', async () => {
  const { id } = await chargeOf('crowded@example.com');
  const client = createWebSocketClient(onCleanup, app.url, toAuthorization(app.merchant.keys.live));
  const streams = Array.from({ length: 100 }, () => client.iterate({ query: follow, variables: { id } }));
  await Promise.all(streams.map((stream) => stream.next()));
  const refused = client.iterate({ query: follow, variables: { id } });
  await expect(refused.next()).rejects.toMatchObject([{ extensions: { code: 'rate_limited' } }]);
  await streams[0]?.return?.();
  await expect
    .poll(() =>
      client
        .iterate({ query: '{ me { name } }' })
        .next()
        .then(
          ({ value }) => value.data,
          () => undefined,
        ),
    )
    .toEqual({ me: { name: 'Harbour Teas' } });
});
