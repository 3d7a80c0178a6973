import { beforeAll, expect, test } from 'vitest';
import { testClock } from '../setup/app.ts';
import { type GraphqlApp, graphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon } from '../setup/makers.ts';
import { updateAccount } from '../setup/receiving-accounts.ts';
import { password, signedInAs } from '../setup/sign-in.ts';
import { appCode, mutate, turnOnSecondFactor } from '../setup/users.ts';
import { makeVisitor } from '../setup/visitor.ts';

/** Where live money goes is changed by a user with a second factor only when they give it again. */

const clock = testClock(noon);
let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp({ clock });
});

test('it is asked for again, for five minutes and in one session; not in the sandbox, nor of keys', async () => {
  const owner = await signedInAs('owner', app, app.merchant);
  const { secret } = await turnOnSecondFactor(owner, { password, clock });
  const { prisma } = app.context.service;
  const merchantId = app.merchant.merchant.id;
  const [live, sandbox] = await Promise.all(
    (['live', 'sandbox'] as const).map((mode) =>
      prisma.receivingAccount.findFirstOrThrow({ where: { merchantId, mode, method: 'fps' } }),
    ),
  );
  const change = async (id: string | undefined, ask: typeof owner.ask = owner.ask) => {
    const answer = await updateAccount(ask, { id, weight: 1 + Math.floor(Math.random() * 90) });
    return answer.code ?? answer.__typename;
  };
  expect(await change(live?.id)).toBe('second_factor_required');
  clock.set(minutesAfter(noon, 1));
  expect((await mutate(owner, 'proveSecondFactor', { code: '000000' })).code).toBe(
    'verification_code_invalid',
  );
  await mutate(owner, 'proveSecondFactor', { code: appCode(secret, clock.now()) });
  expect(await change(live?.id)).toBe('UpdateReceivingAccountSuccess');

  // Signing in with a code elsewhere is no proof there.
  clock.set(minutesAfter(noon, 3));
  const elsewhere = makeVisitor(app.app, { address: '203.0.113.8' });
  await elsewhere.signIn(owner.email, password, { code: appCode(secret, clock.now()) });
  expect(await change(live?.id, elsewhere.ask)).toBe('second_factor_required');
  expect(await change(live?.id)).toBe('UpdateReceivingAccountSuccess');
  clock.set(minutesAfter(noon, 6));
  expect(await change(live?.id)).toBe('second_factor_required');

  const inSandbox: typeof owner.ask = (query, options) => owner.ask(query, { ...options, mode: 'sandbox' });
  expect(await change(sandbox?.id, inSandbox)).toBe('UpdateReceivingAccountSuccess');
  const byKey = await updateAccount(app.ask, { id: live?.id, weight: 7 });
  expect(byKey.__typename).toBe('UpdateReceivingAccountSuccess');
});
