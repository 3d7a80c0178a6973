import { beforeEach } from 'vitest';
import type { UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { testApp } from './app.ts';
import { testClock } from './clock.ts';
import type { Json } from './graphql.ts';
import { makeMerchant, noon } from './makers.ts';
import { password, type SignedIn, signedInAs } from './sign-in.ts';
import { acceptInvitation, invite, linkToken, tryCode, turnOnSecondFactor } from './users.ts';
import { makeVisitor, type Visitor } from './visitor.ts';

/**
 * An application for the test file, whose clock stands at noon before each test; `visitor`: somebody at the dashboard's
 * door, at an address of their own, so that tests do not use up each other's tries.
 */
export async function makeDoor() {
  const clock = testClock(noon);
  const served = await testApp({ clock });
  beforeEach(() => clock.set(noon));
  let visitors = 0;
  return {
    clock,
    served,
    visitor: () => makeVisitor(served.app, { address: `203.0.113.${++visitors}` }),
  };
}

/** And an owner with a second factor who has signed in, another before each test. */
export async function makeGuardedUser() {
  const door = await makeDoor();
  const { clock, served, visitor } = door;
  const merchant = await makeMerchant(served.context.service);
  let user: SignedIn;
  let factor: Awaited<ReturnType<typeof turnOnSecondFactor>>;
  beforeEach(async () => {
    user = await signedInAs('owner', served, merchant);
    factor = await turnOnSecondFactor(user, { password, clock });
    // The code that turned it on was used with that.
    clock.pass(minuteMs);
  });
  return {
    ...door,
    merchant,
    user: () => user,
    secret: () => factor.secret,
    recoveryCodes: () => factor.recoveryCodes,
    /** Signs in, from an address of its own each time; answers the type of success, or the code of the refusal. */
    tryWith: (code: string | undefined, secretWord = password) =>
      tryCode(visitor(), user.email, { password: secretWord, code }),
  };
}

/** And a merchant whose second owner has signed in: the first is that of `makeMerchant`. */
export async function makeOffice() {
  const door = await makeDoor();
  const { served, visitor } = door;
  const { service } = served.context;
  let merchant: NewMerchant;
  let owner: SignedIn;

  /** Another merchant, from here on. */
  async function newMerchant(): Promise<void> {
    merchant = await makeMerchant(service);
    owner = await signedInAs('owner', served, merchant);
  }
  await newMerchant();

  return {
    ...door,
    newMerchant,
    merchant: () => merchant,
    owner: () => owner,
    /** A new user of the merchant, signed in. */
    as: (role: UserRole) => signedInAs(role, served, merchant),
    invite: (role?: UserRole, email?: string): Promise<Json> => invite(owner, role, email),
    tokenOf: (email: string) => linkToken(service, email, 'invitation'),
    accept: (token: string, browser: Visitor = visitor(), input: object = {}): Promise<Json> =>
      acceptInvitation(browser, token, input),
  };
}
