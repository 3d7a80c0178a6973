import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { signOut } from '../../src/domain/accounts/user/sign-out.ts';
import { createAgenda } from '../../src/jobs/agenda.ts';
import { registerJobDashboard } from '../../src/jobs/job-dashboard.ts';
import { openJobStore } from '../../src/jobs/open-job-store.ts';
import { createOperatorGuard } from '../../src/jobs/operator-guard.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { throwError } from '../setup/errors.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { signInAs } from '../setup/sign-in.ts';

const onCleanup = cleanupAfterFile();

/** What operators are told at the job dashboard as it happens. */

const clock = createFakeClock(new Date());
let served: TestApp;
let url: string;
let runJob: () => Promise<unknown>;

beforeAll(async () => {
  served = await setupApp(onCleanup, { clock });
  const store = await openJobStore(
    { connectionString: served.connectionString, processName: 'worker' },
    throwError,
  );
  const agenda = createAgenda(store, { processName: 'worker', runsJobs: true, onError: throwError });
  agenda.define('tick', async () => {});
  await agenda.start();
  onCleanup(async () => {
    await agenda.stop(false);
    await store.close();
  });
  runJob = () => agenda.now('tick');
  await registerJobDashboard(served.app, { agenda, ...createOperatorGuard(served.context) });
  url = await served.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => void vi.useRealTimers());

test('are told of runs until they sign out, and no other operator is cut off', async () => {
  const [one, other] = [await follow(), await follow()];
  await runJob();
  expect(await one.next()).toContain('tick');
  expect(await other.next()).toContain('tick');
  await signOut(served.context.service, { token: one.token });
  await one.rest();
  await runJob();
  expect(await other.next()).toContain('tick');
  await other.leave();
});

test('are told no more once their session is over by itself', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stream = await follow();
  clock.advance(15 * dayMs);
  vi.advanceTimersByTime(minuteMs);
  await stream.rest();
});

test('are followed no more when they left before the stream began', async () => {
  const { hub } = served.context;
  const { subscribe } = hub;
  let followed = 0;
  hub.subscribe = (topic, listener) => {
    if (topic.startsWith('usr_')) followed++;
    return subscribe(topic, listener);
  };
  onTestFinished(() => {
    hub.subscribe = subscribe;
  });
  const cookie = (await signInAs('operator', served)).cookie()!;
  for (let i = 0; i < 3; i++) {
    const asked = once(served.app.server, 'request');
    const answer = fetch(`${url}/jobs/api/events`, { headers: { cookie } }).catch(() => 'cut');
    const [{ socket }] = (await asked) as [IncomingMessage];
    socket.destroy();
    expect(await answer).toBe('cut');
  }
  // Opened after them, and answered whole.
  const stream = await follow();
  expect(followed).toBe(1);
  await stream.leave();
});

/** An operator who has just signed in, and has opened the stream. */
async function follow() {
  const cookie = (await signInAs('operator', served)).cookie()!;
  const { status, body } = await fetch(`${url}/jobs/api/events`, { headers: { cookie } });
  expect(status).toBe(200);
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain('connected');
  return {
    token: cookie.split('=')[1]!,
    next: async () => (await reader.read()).value,
    /** Waits for the end. */
    async rest() {
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      return text;
    },
    leave: () => reader.cancel(),
  };
}
