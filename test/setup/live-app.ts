import { expect } from 'vitest';
import type { Charge, Mode } from '../../prisma/client/client.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { withClient } from '../../src/kit/with-client.ts';
import type { OnCleanup } from './cleanup.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type GraphqlApp, setupGraphqlApp } from './graphql.ts';
import { seedCharge } from './seed.ts';
import { connectOtherProcess, withAnnouncer } from './service.ts';

/** The application and another process, which are connected only through PostgreSQL. */
export type LiveApp = GraphqlApp & {
  otherProcess: Service;
  clock: FakeClock;
  /** Creates a charge in the other process, a second after the previous one. */
  newCharge(email: string, mode?: Mode): Promise<Charge>;
  /** Completes a sandbox charge in the other process by default. */
  complete(charge: { id: string }, service?: Service): Promise<Charge>;
  /** Another process that announces no change, as if it were killed after each commit. */
  silentProcess: Service;
  /** Terminates the listener’s connection, as a restart of PostgreSQL does. The listener reconnects. */
  cutListener(): Promise<void>;
};

export async function setupLiveApp(onCleanup: OnCleanup): Promise<LiveApp> {
  const clock = createFakeClock(new Date());
  const app = await setupGraphqlApp(onCleanup, { clock });
  const { connectionString, merchant } = app;
  const otherProcess = withAnnouncer(
    onCleanup,
    connectOtherProcess(onCleanup, { ...app.context.service, connectionString }),
  );
  return {
    ...app,
    otherProcess,
    clock,
    newCharge(email, mode = 'sandbox') {
      clock.advance(1_000);
      return seedCharge(otherProcess, merchant, { mode, input: { email }, now: clock.now() });
    },
    silentProcess: { ...otherProcess, announce: () => {} },
    cutListener: () => terminateListener(connectionString),
    complete: ({ id }, service = otherProcess) =>
      completeSandboxCharge(service, {
        merchantId: merchant.merchant.id,
        mode: 'sandbox',
        id,
        actor: 'user:test',
        now: clock.now(),
      }),
  };
}

async function terminateListener(connectionString: string): Promise<void> {
  const { rowCount } = await withClient(connectionString, (client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'causeway listen'`,
    ),
  );
  expect(rowCount).toBe(1);
}
