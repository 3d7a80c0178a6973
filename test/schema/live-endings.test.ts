import { describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { createHub } from '../../src/live/hub.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type EventStream, subscribeOverSse, subscribeOverWebSocket } from '../setup/graphql.ts';
import { followCharge, setupLiveApp } from '../setup/live-app.ts';

const onCleanup = cleanupAfterFile();

const { app, otherProcess, clock, newCharge, complete, silentProcess, cutListener } =
  await setupLiveApp(onCleanup);
const sandbox = () => app.merchant.keys.sandbox;

describe('when the connection that listens is cut', () => {
  const expectNext = async (stream: EventStream, value: object) =>
    expect(await stream.next()).toMatchObject(value);

  test('a change that nobody was told of is told when it is back', async () => {
    const charge = await newCharge('cut@example.com');
    await relayEvents(otherProcess, { now: clock.now() });
    const one = subscribeOverWebSocket(onCleanup, app.url, sandbox(), followCharge, { id: charge.id });
    const all = subscribeOverSse(
      onCleanup,
      app.url,
      sandbox(),
      'subscription { chargesUpdated { id status } }',
    );
    await expectNext(one, { data: { chargeUpdated: { status: 'pending' } } });
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'pending' } } });
    await complete(charge, silentProcess);
    await cutListener();
    await expectNext(one, { data: { chargeUpdated: { status: 'completed' } } });
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'completed' } } });
    // And it goes on as before.
    const next = await newCharge('after@example.com');
    await expectNext(all, { data: { chargesUpdated: { id: next.id, status: 'pending' } } });
    await Promise.all([one.close(), all.close()]);
  });

  test('also when the relay has numbered it meanwhile', async () => {
    const charge = await newCharge('numbered@example.com');
    await relayEvents(otherProcess, { now: clock.now() });
    const all = subscribeOverWebSocket(
      onCleanup,
      app.url,
      sandbox(),
      'subscription { chargesUpdated { id status } }',
    );
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'pending' } } });
    await complete(charge, silentProcess);
    await relayEvents(silentProcess, { now: clock.now() });
    await cutListener();
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'completed' } } });
    await all.close();
  });
});

test('streams end when the application does', async () => {
  const context = { ...app.context, hub: createHub() };
  const second = await buildApp(context);
  const url = await second.listen({ port: 0, host: '127.0.0.1' });
  const charge = await newCharge('closing@example.com');
  const streams = [subscribeOverWebSocket, subscribeOverSse].map((open) =>
    open(onCleanup, url, sandbox(), followCharge, { id: charge.id }),
  );
  for (const stream of streams) await stream.next();
  const ends = streams.map((stream) => stream.next().catch(() => 'cut'));
  await second.close();
  expect(await Promise.all(ends)).toEqual(['the end', 'the end']);
});
