import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import { pruneEvents } from '../../src/event/prune-events.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { seedEvent, seedWebhook } from '../setup/notifications.ts';
import { noon } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

const daysAfter = (days: number) => new Date(noon.getTime() + days * dayMs);

let app: GraphqlApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  merchant = app.merchant;
});

const service = () => app.context.service;
const happen = async (now: Date) => {
  await seedEvent(service(), merchant, { now });
  await relayEvents(service(), { now });
};
const page = async (after: string | null): Promise<Json> => {
  const query = `query ($after: String) { events(after: $after, first: 50) { nodes { sequence } pageInfo { endCursor } } }`;
  const { data, errors } = await app.ask(query, { variables: { after } });
  if (errors) return errors[0].extensions.code;
  return data.events.nodes.map(({ sequence }: Json) => Number(sequence));
};
/** The number of the newest event. */
const last = async () => {
  const { id: merchantId } = merchant.merchant;
  return (await service().prisma.eventCounter.findFirstOrThrow({ where: { merchantId } })).last;
};

describe('the event log', () => {
  test('is pruned from its beginning after 400 days, and a reader whose cursor fell out of it is told', async () => {
    for (let day = 1; day <= 10; day++) await happen(daysAfter(day));
    expect(await page(null)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await pruneEvents(service(), { now: daysAfter(400) })).toBe(0);
    expect(await pruneEvents(service(), { now: daysAfter(404.5) })).toBe(4);
    expect(await page(null)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await page('0')).toBe('event_cursor_expired');
    expect(await page('3')).toBe('event_cursor_expired');
    expect(await pruneEvents(service(), { now: daysAfter(399) })).toBe(0);
    expect(await service().prisma.retentionWatermark.findUnique({ where: { name: 'event' } })).toMatchObject({
      prunedTo: daysAfter(4.5),
    });
    expect(await page('4')).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await page('10')).toEqual([]);
    await expectInvariants(service());
    expect(await pruneEvents(service(), { now: daysAfter(800) })).toBe(6);
    expect(await page('10')).toEqual([]);
    await happen(daysAfter(801));
    expect(await page('10')).toEqual([11]);
    await expectInvariants(service());
  });

  test('keeps an event whose notification is still there, and all after it', async () => {
    await happen(daysAfter(802));
    const before = await last();
    const webhook = await seedWebhook(service(), merchant, { url: 'http://127.0.0.1:9/' });
    await happen(daysAfter(803));
    const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
    await deleteWebhook(service(), { ...owner, id: webhook.id, actor: 'user:test', now: noon });
    await happen(daysAfter(804));
    await pruneEvents(service(), { now: daysAfter(1_300) });
    expect(await page(`${before - 1n}`)).toBe('event_cursor_expired');
    expect(await page(`${before}`)).toEqual([Number(before) + 1, Number(before) + 2]);
  });
});

test('a reader whose cursor is beyond the end of the log, which was restored from an older backup, is told', async () => {
  await happen(daysAfter(1_400));
  const end = await last();
  expect(await page(`${end}`)).toEqual([]);
  expect(await page(`${end + 1n}`)).toBe('event_cursor_expired');
});
