import type { UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { Clock } from '../../src/kit/clock.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { createTotpCode, getTotpStep } from '../../src/kit/totp.ts';
import type { TestApp } from './app.ts';
import { createCounter } from './create-counter.ts';
import type { FakeClock } from './fake-clock.ts';
import { type Json, mutate } from './graphql.ts';
import { readContent } from './messages.ts';
import { password, type SignedInUser, signInAs } from './sign-in.ts';
import { mutateAsPage, type Visitor } from './visitor.ts';

/** Returns the code of an authenticator app at a time, or `stepsLater` half minutes later. */
export function authenticatorCode(secret: string, now: Date, stepsLater = 0): string {
  return createTotpCode(secret, getTotpStep(now) + stepsLater);
}

export async function readLastMail(
  service: Service,
  to: string,
  kind: string,
): Promise<{ subject: string; text: string; merchantId: string | null } | undefined> {
  const message = await service.prisma.message.findFirst({
    where: { recipient: to, kind },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  if (!message) return undefined;
  const { text } = await readContent(service, message);
  return { subject: message.subject ?? '', text, merchantId: message.merchantId };
}

/** Returns the token in the dashboard link of an email. */
export async function readLinkToken(service: Service, to: string, kind: string): Promise<string> {
  const mail = await readLastMail(service, to, kind);
  const token = /\/dashboard\/[\w-]+#([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (!token) throw new Error(`no link in the mail of kind ${kind} to ${to}: ${mail?.text}`);
  return token;
}

export async function enableTwoFactor(
  visitor: Pick<Visitor, 'ask'>,
  { password, clock }: { password: string; clock: Clock },
): Promise<{ secret: string; uri: string; recoveryCodes: string[] }> {
  const { secret, uri } = await mutate(visitor, 'beginTwoFactorSetup', { password }, 'secret otpauthUri');
  const code = authenticatorCode(secret, clock.now());
  const { recoveryCodes } = await mutate(visitor, 'confirmTwoFactorSetup', { code }, 'recoveryCodes');
  return { secret, uri, recoveryCodes };
}

/**
 * Creates a user of the app’s merchant, or an operator, signs them in, enables two-factor authentication, and advances
 * the clock by a minute.
 */
export async function signInWithTwoFactor(
  role: UserRole,
  app: TestApp & { merchant: NewMerchant },
  { clock }: { clock: FakeClock },
): Promise<{ user: SignedInUser; secret: string; recoveryCodes: string[] }> {
  const user = await signInAs(role, app, app.merchant);
  const { secret, recoveryCodes } = await enableTwoFactor(user, { password, clock });
  // The code that enabled two-factor authentication cannot be used again.
  clock.advance(minuteMs);
  return { user, secret, recoveryCodes };
}

/** Re-authenticates with a code that was not used before. */
export async function reauthenticate(
  visitor: Pick<Visitor, 'ask'>,
  { secret, clock }: { secret: string; clock: Clock },
): Promise<void> {
  const response = await mutate(visitor, 'reauthenticate', { code: authenticatorCode(secret, clock.now()) });
  if (response.code) throw new Error(JSON.stringify(response));
}

const nextInvitationNumber = createCounter();

/** Invites a new user by default. */
export async function invite(
  owner: Pick<Visitor, 'ask'>,
  role: UserRole = 'support',
  email = `new${nextInvitationNumber()}@example.com`,
): Promise<Json> {
  const fields = 'invitation { id email role invitedBy { kind name } sentAt expiresAt }';
  return { ...(await mutate(owner, 'inviteUser', { email, role }, fields)), email };
}

/** Accepts an invitation as Ada Wong by default, and returns the viewer of the new session. */
export async function acceptInvitation(
  browser: Pick<Visitor, 'ask'>,
  token: string,
  input: object = {},
): Promise<Json> {
  const person = { name: 'Ada Wong', password: 'tea leaves at dawn', ...input };
  const response = await mutateAsPage(browser, 'acceptInvitation', { token, ...person });
  if (response.__typename !== 'AcceptInvitationSuccess') return response;
  const { data } = await browser.ask('{ viewer { user { email name role } merchant { id } } }');
  return { ...response, viewer: data.viewer };
}
