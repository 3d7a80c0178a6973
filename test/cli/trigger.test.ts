import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { eventTypes } from '../../src/event/catalog.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { fileTest } from '../setup/fixtures.ts';
import { setupLiveApp } from '../setup/live-app.ts';
import { runCli } from './run-cli.ts';

const test = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupLiveApp(onFileCleanup))
  .extend('env', { scope: 'file' }, ({ app }) => ({
    CAUSEWAY_API_KEY: app.merchant.keys.sandbox.apiKey,
    CAUSEWAY_API_SECRET: app.merchant.keys.sandbox.apiSecret,
  }));

/** Publishes events until the end of the test, as a worker does. */
function publishUntilFinished(service: Service): void {
  const abortion = new AbortController();
  const publish = async (): Promise<void> => {
    while (!abortion.signal.aborted) {
      await relayEvents(service, { now: new Date() });
      await setTimeout(20);
    }
  };
  const worker = publish();
  onTestFinished(() => {
    abortion.abort();
    return worker;
  });
}

test('trigger causes an event of every type in the sandbox, by changes of a new object', async ({
  app,
  env,
}) => {
  const { service } = app.context;
  publishUntilFinished(service);
  const objectIds = new Set<string>();
  for (const [type, { object }] of Object.entries(eventTypes)) {
    const { code, json, stderr } = await runCli(env, ['trigger', type, '--url', app.url, '--json']);
    expect({ type, code, stderr }).toEqual({ type, code: 0, stderr: expect.stringContaining('Created') });
    const event = await service.prisma.event.findUniqueOrThrow({ where: { id: json.eventId } });
    expect({ ...event, object }).toMatchObject({
      ...{ type, object, objectId: json.objectId, mode: 'sandbox' },
      ...{ merchantId: app.merchant.merchant.id, sequence: BigInt(json.cursor) },
    });
    objectIds.add(json.objectId);
  }
  expect(objectIds.size).toBe(Object.keys(eventTypes).length);
});

test('trigger rejects unknown event types and live keys', async ({ app, env }) => {
  const unknown = await runCli(env, ['trigger', 'charge_moved', '--url', app.url]);
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^charge_moved is no event type. The types are CHARGE_COMPLETE, .*transfer_exception/,
    ),
  });
  const { apiKey, apiSecret } = app.merchant.keys.live;
  const liveEnv = { CAUSEWAY_API_KEY: apiKey, CAUSEWAY_API_SECRET: apiSecret };
  const live = await runCli(liveEnv, ['trigger', 'session_created', '--url', app.url]);
  expect(live).toMatchObject({ code: 2, stderr: expect.stringContaining('The API key is live') });
});
