import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { advanceTestClock } from '../../src/domain/operations/test-clock/advance-test-clock.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { payForm, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, seedMerchant } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let origin = '';
let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await setupApp(onCleanup);
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
  merchant = await seedMerchant(app.context.service);
});

type Told = { state: string; now: number };

/** The events of a page, one by one as they come; undefined when the server has ended them. */
async function openEvents(address: string, { cookie = '', at = origin } = {}) {
  const answer = await fetch(at + address, { headers: { cookie } });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<Told | undefined> => {
    for (;;) {
      const match = /data: (.*)\n\n/.exec(text);
      if (match) {
        text = text.slice(match.index + match[0].length);
        return JSON.parse(match[1] ?? '') as Told;
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return { headers: answer.headers, next, leave: () => reader.cancel() };
}

test('one connection tells of the session, then of its charge, with the server’s time', async () => {
  const { service, clock } = app.context;
  const session = await seedSession(service, merchant);
  const address = sessionPath(session);
  const customer = createPageVisitor(app.app);
  const { headers } = await customer.post(address, { do: 'claim' });
  const cookie = String(headers['set-cookie']).split(';')[0];
  const events = await openEvents(`/checkout/live?sessionId=${session.id}`, { cookie });
  expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(events.headers.get('cache-control')).toBe('no-store');
  const first = await events.next();
  expect(first?.state).toBe('open');
  expect(Math.abs((first?.now ?? 0) - clock.now().getTime())).toBeLessThan(5_000);

  await customer.post(address, payForm);
  expect(await events.next()).toMatchObject({ state: 'pending-0' });
  const charge = await service.prisma.charge.findUniqueOrThrow({ where: { sessionId: session.id } });
  await payCharge(service, merchant, charge, { minor: 5_000n });
  expect(await events.next()).toMatchObject({ state: 'pending-5000' });
  await payCharge(service, merchant, charge, { minor: charge.customerAmount - 5_000n });
  expect(await events.next()).toMatchObject({ state: `paid-${charge.customerAmount}` });
  await events.leave();
});

test('a browser that loses the session is told', async () => {
  const session = await seedSession(app.context.service, merchant);
  const options = { id: session.id, takeOver: true, now: new Date() };
  await claimSession(app.context.service, { ...options, browserToken: 'first' });
  const events = await openEvents(`/checkout/live?sessionId=${session.id}`, {
    cookie: 'causeway_browser=first',
  });
  expect(await events.next()).toMatchObject({ state: 'open' });
  await claimSession(app.context.service, { ...options, browserToken: 'second' });
  expect(await events.next()).toMatchObject({ state: 'elsewhere' });
  await events.leave();
});

test('in the sandbox the page is told when the clock is moved', async () => {
  const { service, clock } = app.context;
  const session = await seedSession(service, merchant, { mode: 'sandbox' });
  const events = await openEvents(`/checkout/live?sessionId=${session.id}&isSandbox=true`);
  const before = await events.next();
  const to = minutesAfter(clock.now(), 20);
  await advanceTestClock(service, {
    merchantId: merchant.merchant.id,
    mode: 'sandbox',
    advanceTo: to,
    clock,
  });
  const after = await events.next();
  expect(after?.state).toBe(before?.state);
  expect(after?.now).toBeGreaterThanOrEqual(to.getTime());
  await events.leave();
});

describe('nothing is followed any more for a browser that has left', () => {
  /** How many now follow the object. */
  function countFollowers(id: string): () => number {
    const { hub } = app.context;
    const { subscribe } = hub;
    const followers = new Set<object>();
    hub.subscribe = (topic, listener) => {
      const end = subscribe(topic, listener);
      if (topic !== id) return end;
      const follower = {};
      followers.add(follower);
      return () => {
        followers.delete(follower);
        end();
      };
    };
    onTestFinished(() => {
      hub.subscribe = subscribe;
    });
    return () => followers.size;
  }

  function ask(path: string, times = 1) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nhost: pay.example\r\n\r\n`.repeat(times));
    return socket;
  }

  test('before the answer began', async () => {
    const session = await seedSession(app.context.service, merchant);
    const followers = countFollowers(session.id);
    const path = `/checkout/live?sessionId=${session.id}`;
    for (let i = 0; i < 5; i++) {
      const asked = once(app.app.server, 'request');
      ask(path);
      const [{ socket }] = (await asked) as [IncomingMessage];
      socket.destroy();
    }
    // Asked after them, and answered whole.
    const events = await openEvents(path);
    expect(await events.next()).toMatchObject({ state: 'open' });
    expect(followers()).toBe(1);
    await events.leave();
    await expect.poll(followers).toBe(0);
  });

  test('while the answer waited behind another one of the connection', async () => {
    const session = await seedSession(app.context.service, merchant);
    const followers = countFollowers(session.id);
    const socket = ask(`/checkout/live?sessionId=${session.id}`, 2);
    await expect.poll(followers).toBe(2);
    socket.destroy();
    await expect.poll(followers).toBe(0);
  });
});

test('what cannot change has no events, and what is not there neither', async () => {
  const link = await seedCheckoutLink(app.context.service, merchant);
  for (const query of [`link=${link.id}`, 'sessionId=ses_x', 'charge=ch_x.y']) {
    const answer = await fetch(`${origin}/checkout/live?${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  }
});

test('open events end when the service stops', async () => {
  const stopping = await setupApp(onCleanup);
  const { service } = stopping.context;
  const at = await stopping.app.listen({ port: 0, host: '127.0.0.1' });
  const session = await seedSession(service, await seedMerchant(service));
  const events = await openEvents(`/checkout/live?sessionId=${session.id}`, { at });
  expect(await events.next()).toMatchObject({ state: 'open' });
  const closing = stopping.app.close();
  expect(await events.next()).toBeUndefined();
  await closing;
});
