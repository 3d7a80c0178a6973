import { beforeEach } from 'vitest';
import type { UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { setupApp } from './app.ts';
import type { OnCleanup } from './cleanup.ts';
import { createFakeClock } from './fake-clock.ts';
import type { Json } from './graphql.ts';
import { noon, seedMerchant } from './seed.ts';
import { password, type SignedInUser, signInAs } from './sign-in.ts';
import { acceptInvitation, enableTwoFactor, invite, readLinkToken, signInWithCode } from './users.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/**
 * An application whose clock is set to noon before each test. `visitor` has a network address of its own each
 * time, so that tests do not share limits of sign-in attempts.
 */
export async function setupAuth(onCleanup: OnCleanup) {
  const clock = createFakeClock(noon);
  const testApp = await setupApp(onCleanup, { clock });
  beforeEach(() => clock.set(noon));
  let visitorCount = 0;
  return {
    clock,
    served: testApp,
    visitor: () => createVisitor(testApp.app, { address: `203.0.113.${++visitorCount}` }),
  };
}

/** Adds an owner with two-factor authentication, who has signed in; a new one before each test. */
export async function setupTwoFactorUser(onCleanup: OnCleanup) {
  const auth = await setupAuth(onCleanup);
  const { clock, served: testApp, visitor } = auth;
  const merchant = await seedMerchant(testApp.context.service);
  let user: SignedInUser;
  let twoFactor: Awaited<ReturnType<typeof enableTwoFactor>>;
  beforeEach(async () => {
    user = await signInAs('owner', testApp, merchant);
    twoFactor = await enableTwoFactor(user, { password, clock });
    // The code that enabled two-factor authentication cannot be used again.
    clock.advance(minuteMs);
  });
  return {
    ...auth,
    merchant,
    user: () => user,
    secret: () => twoFactor.secret,
    recoveryCodes: () => twoFactor.recoveryCodes,
    /** Signs in from a new address; returns the type of the success, or the error code. */
    signInWith: (code: string | undefined, enteredPassword = password) =>
      signInWithCode(visitor(), user.email, { password: enteredPassword, code }),
  };
}

/** Adds a merchant with a second owner, who has signed in; `seedMerchant` created the first. */
export async function setupTeam(onCleanup: OnCleanup) {
  const auth = await setupAuth(onCleanup);
  const { served: testApp, visitor } = auth;
  const { service } = testApp.context;
  let merchant: NewMerchant;
  let owner: SignedInUser;

  /** Replaces the merchant and its owner. */
  async function newMerchant(): Promise<void> {
    merchant = await seedMerchant(service);
    owner = await signInAs('owner', testApp, merchant);
  }
  await newMerchant();

  return {
    ...auth,
    newMerchant,
    merchant: () => merchant,
    owner: () => owner,
    /** A new user of the merchant, signed in. */
    signInAs: (role: UserRole) => signInAs(role, testApp, merchant),
    invite: (role?: UserRole, email?: string): Promise<Json> => invite(owner, role, email),
    readInvitationToken: (email: string) => readLinkToken(service, email, 'invitation'),
    accept: (token: string, browser: Visitor = visitor(), input: object = {}): Promise<Json> =>
      acceptInvitation(browser, token, input),
  };
}
