import { fakeTimeGraphqlTest } from './app-fixtures.ts';
import { seedMerchant } from './seed.ts';
import { password, signInAs } from './sign-in.ts';
import { signInWithTwoFactor } from './users.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/**
 * The application at noon of a fake clock, with a new merchant for each test. `newVisitor` returns a browser with its
 * own IP address, so that tests do not share limits of attempts.
 */
export const visitorTest = fakeTimeGraphqlTest
  .extend('merchant', ({ service }) => seedMerchant(service))
  .extend('newVisitor', { scope: 'file' }, ({ app }) => {
    let visitorCount = 0;
    return () => {
      visitorCount++;
      return createVisitor(app.app, { address: `198.18.${visitorCount >> 8}.${visitorCount & 0xff}` });
    };
  });

/** A second owner of the merchant, who has signed in; `seedMerchant` created the first. */
export const ownerTest = visitorTest.extend('owner', ({ app, merchant }) => signInAs('owner', app, merchant));

/** An owner who has signed in and enabled two-factor authentication a minute ago. */
export const twoFactorTest = visitorTest
  .extend('twoFactor', ({ app, merchant, clock }) =>
    signInWithTwoFactor('owner', { ...app, merchant }, { clock }),
  )
  .extend('owner', ({ twoFactor }) => twoFactor.user)
  .extend('secret', ({ twoFactor }) => twoFactor.secret)
  .extend('recoveryCodes', ({ twoFactor }) => twoFactor.recoveryCodes)
  /** Signs in from a new IP address. Returns the type of the success, or the error code. */
  .extend(
    'signInWith',
    ({ newVisitor, owner }) =>
      (code: string | undefined, enteredPassword = password) =>
        signInWithCode(newVisitor(), owner.email, { password: enteredPassword, code }),
  );

async function signInWithCode(
  visitor: Pick<Visitor, 'signIn'>,
  email: string,
  { password, code }: { password: string; code: string | undefined },
): Promise<string> {
  const { data } = await visitor.signIn(email, password, { ...(code !== undefined && { code }) });
  return data.signIn.code ?? data.signIn.__typename;
}
