import { beforeEach } from 'vitest';
import type { UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { testApp } from './app.ts';
import { testClock } from './clock.ts';
import type { Json } from './graphql.ts';
import { makeMerchant, noon } from './makers.ts';
import { type SignedIn, signedInAs } from './sign-in.ts';
import { acceptInvitation, invite, linkToken } from './users.ts';
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
