import { describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { createHub } from '../../src/live/hub.ts';
import { overSocket, overSse, type Stream } from '../setup/graphql.ts';
import { followCharge, liveApp } from '../setup/live-app.ts';

const { app, elsewhere, clock, chargeOf, complete, dying, cut } = await liveApp();
const sandbox = () => app.merchant.keys.sandbox;

describe('when the connection that listens is cut', () => {
  const expectNext = async (stream: Stream, value: object) =>
    expect(await stream.next()).toMatchObject(value);

  test('a change that nobody was told of is told when it is back', async () => {
    const charge = await chargeOf('cut@example.com');
    await relayEvents(elsewhere, { now: clock.now() });
    const one = overSocket(app.url, sandbox(), followCharge, { id: charge.id });
    const all = overSse(app.url, sandbox(), 'subscription { chargesUpdated { id status } }');
    await expectNext(one, { data: { chargeUpdated: { status: 'pending' } } });
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'pending' } } });
    await complete(charge, dying);
    await cut();
    await expectNext(one, { data: { chargeUpdated: { status: 'completed' } } });
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'completed' } } });
    // And it goes on as before.
    const next = await chargeOf('after@example.com');
    await expectNext(all, { data: { chargesUpdated: { id: next.id, status: 'pending' } } });
    await Promise.all([one.end(), all.end()]);
  });

  test('also when the relay has numbered it meanwhile', async () => {
    const charge = await chargeOf('numbered@example.com');
    await relayEvents(elsewhere, { now: clock.now() });
    const all = overSocket(app.url, sandbox(), 'subscription { chargesUpdated { id status } }');
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'pending' } } });
    await complete(charge, dying);
    await relayEvents(dying, { now: clock.now() });
    await cut();
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'completed' } } });
    await all.end();
  });
});

test('streams end when the application does', async () => {
  const context = { ...app.context, hub: createHub() };
  const second = await buildApp(context);
  const url = await second.listen({ port: 0, host: '127.0.0.1' });
  const charge = await chargeOf('closing@example.com');
  const streams = [overSocket, overSse].map((open) => open(url, sandbox(), followCharge, { id: charge.id }));
  for (const stream of streams) await stream.next();
  const ends = streams.map((stream) => stream.next().catch(() => 'cut'));
  await second.close();
  expect(await Promise.all(ends)).toEqual(['the end', 'the end']);
});
