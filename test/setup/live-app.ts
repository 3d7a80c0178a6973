import { expect } from 'vitest';
import type { Charge, Mode } from '../../prisma/client/client.ts';
import { completeSandboxCharge } from '../../src/domain/money-in/transfer/complete-sandbox-charge.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { type TestClock, testClock } from './clock.ts';
import { type GraphqlApp, graphqlApp } from './graphql.ts';
import { makeCharge } from './makers.ts';
import { announcing, otherProcess } from './service.ts';

/** All of a charge that its followers are told in the tests. */
export const followCharge = `subscription ($id: ID!) { chargeUpdated(id: $id) { id status amountReceived customer { id } transfers { amount } } }`;

/** The application, and another process on the same database: nothing but PostgreSQL connects the two. */
type LiveApp = {
  app: GraphqlApp;
  elsewhere: Service;
  clock: TestClock;
  /** Made elsewhere, each a second after the one before, so that it is the newest. */
  chargeOf(email: string, mode?: Mode): Promise<Charge>;
  /** Completes a sandbox charge elsewhere, or in the process that is given. */
  complete(charge: { id: string }, service?: Service): Promise<Charge>;
  /** Another process that dies after each commit, before it can tell anybody. */
  dying: Service;
  /** Ends the listener's connection as a restart of PostgreSQL would; it comes back by itself. */
  cut(): Promise<void>;
};

export async function liveApp(): Promise<LiveApp> {
  const clock = testClock(new Date());
  const app = await graphqlApp({ clock });
  const { connectionString, merchant } = app;
  const elsewhere = announcing(otherProcess({ ...app.context.service, connectionString }));
  return {
    app,
    elsewhere,
    clock,
    chargeOf(email, mode = 'sandbox') {
      clock.pass(1_000);
      return makeCharge(elsewhere, merchant, { mode, input: { email }, now: clock.now() });
    },
    dying: { ...elsewhere, announce: () => {} },
    cut: () => cutListener(connectionString),
    complete: ({ id }, service = elsewhere) =>
      completeSandboxCharge(service, {
        merchantId: merchant.merchant.id,
        mode: 'sandbox',
        id,
        actor: 'user:test',
        now: clock.now(),
      }),
  };
}

async function cutListener(connectionString: string): Promise<void> {
  const { rowCount } = await withClient(connectionString, (client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'causeway listen'`,
    ),
  );
  expect(rowCount).toBe(1);
}
