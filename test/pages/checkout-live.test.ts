import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { claimSession } from '../../src/domain/session/claim-session.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeCheckoutLink, makeSession } from '../setup/checkout.ts';
import { makeMerchant } from '../setup/makers.ts';
import { pageVisitor } from '../setup/page-visitor.ts';
import { payCharge } from '../setup/transfers.ts';

let origin = '';
let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
  merchant = await makeMerchant(app.context.service);
});

type Told = { state: string; now: number };

/** The events of a page, one by one as they come; undefined when the server has ended them. */
async function openEvents(address: string, cookie = '') {
  const answer = await fetch(origin + address, { headers: { cookie } });
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
  const session = await makeSession(service, merchant);
  const address = `/checkout?sessionId=${session.id}`;
  const customer = pageVisitor(app.app);
  const { headers } = await customer.post(address, { do: 'claim' });
  const cookie = String(headers['set-cookie']).split(';')[0];
  const events = await openEvents(`/checkout/live?sessionId=${session.id}`, cookie);
  expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(events.headers.get('cache-control')).toBe('no-store');
  const first = await events.next();
  expect(first?.state).toBe('open');
  expect(Math.abs((first?.now ?? 0) - clock.now().getTime())).toBeLessThan(5_000);

  await customer.post(address, { do: 'pay', method: 'fps', email: 'mei@example.com' });
  expect(await events.next()).toMatchObject({ state: 'pending-0' });
  const charge = await service.prisma.charge.findUniqueOrThrow({ where: { sessionId: session.id } });
  await payCharge(service, merchant, charge, { minor: 5_000n });
  expect(await events.next()).toMatchObject({ state: 'pending-5000' });
  await payCharge(service, merchant, charge, { minor: charge.customerAmount - 5_000n });
  expect(await events.next()).toMatchObject({ state: `paid-${charge.customerAmount}` });
  await events.leave();
});

test('a browser that loses the session is told', async () => {
  const session = await makeSession(app.context.service, merchant);
  const options = { id: session.id, takeOver: true, now: new Date() };
  await claimSession(app.context.service, { ...options, browserToken: 'first' });
  const events = await openEvents(`/checkout/live?sessionId=${session.id}`, 'causeway_browser=first');
  expect(await events.next()).toMatchObject({ state: 'open' });
  await claimSession(app.context.service, { ...options, browserToken: 'second' });
  expect(await events.next()).toMatchObject({ state: 'elsewhere' });
  await events.leave();
});

test('what cannot change has no events, and what is not there neither', async () => {
  const link = await makeCheckoutLink(app.context.service, merchant);
  for (const query of [`link=${link.id}`, 'sessionId=ses_x', 'charge=ch_x.y']) {
    const answer = await fetch(`${origin}/checkout/live?${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  }
});

test('open events end when the service stops', async () => {
  const session = await makeSession(app.context.service, merchant);
  const events = await openEvents(`/checkout/live?sessionId=${session.id}`);
  expect(await events.next()).toMatchObject({ state: 'open' });
  const closing = app.app.close();
  expect(await events.next()).toBeUndefined();
  await closing;
});
