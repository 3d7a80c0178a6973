import type { UserRole } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { Clock } from '../../src/kit/clock.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { getTotpStep, totpCode } from '../../src/kit/totp.ts';
import type { TestApp } from './app.ts';
import type { TestClock } from './clock.ts';
import { type Json, mutate } from './graphql.ts';
import { readContent } from './messages.ts';
import { password, type SignedIn, signedInAs } from './sign-in.ts';
import { mutateAsPage, type Visitor } from './visitor.ts';

/** The code an authenticator app shows at a time, or so many steps of half a minute later. */
export function appCode(secret: string, now: Date, stepsLater = 0): string {
  return totpCode(secret, getTotpStep(now) + stepsLater);
}

/** What was mailed to somebody last, of one kind. */
export async function lastMail(
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

/** What a mail's link to the dashboard carries after `#`. */
export async function linkToken(service: Service, to: string, kind: string): Promise<string> {
  const mail = await lastMail(service, to, kind);
  const token = /\/dashboard\/[\w-]+#([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (!token) throw new Error(`no link in the mail of kind ${kind} to ${to}: ${mail?.text}`);
  return token;
}

/** Signs in with a code; answers the type of success, or the code of the refusal. */
export async function tryCode(
  visitor: Pick<Visitor, 'signIn'>,
  email: string,
  { password, code }: { password: string; code: string | undefined },
): Promise<string> {
  const { data } = await visitor.signIn(email, password, { ...(code !== undefined && { code }) });
  return data.signIn.code ?? data.signIn.__typename;
}

/** Turns the second factor of a signed-in visitor on. */
export async function turnOnSecondFactor(
  visitor: Pick<Visitor, 'ask'>,
  { password, clock }: { password: string; clock: Clock },
): Promise<{ secret: string; uri: string; recoveryCodes: string[] }> {
  const { secret, uri } = await mutate(visitor, 'beginTwoFactorSetup', { password }, 'secret otpauthUri');
  const code = appCode(secret, clock.now());
  const { recoveryCodes } = await mutate(visitor, 'confirmTwoFactorSetup', { code }, 'recoveryCodes');
  return { secret, uri, recoveryCodes };
}

/** Somebody who signed in and enabled two-factor authentication a minute ago: of the app's merchant, or an operator. */
export async function signedInWithTwoFactor(
  role: UserRole,
  app: TestApp & { merchant: NewMerchant },
  { clock }: { clock: TestClock },
): Promise<{ user: SignedIn; secret: string }> {
  const user = await signedInAs(role, app, app.merchant);
  const { secret } = await turnOnSecondFactor(user, { password, clock });
  clock.pass(minuteMs);
  return { user, secret };
}

/** Re-authenticates with a code that was not used before. */
export async function reauthenticate(
  visitor: Pick<Visitor, 'ask'>,
  { secret, clock }: { secret: string; clock: Clock },
): Promise<void> {
  const answer = await mutate(visitor, 'reauthenticate', { code: appCode(secret, clock.now()) });
  if (answer.code) throw new Error(JSON.stringify(answer));
}

/** Whom somebody invites is somebody new, unless an address is given. */
export async function invite(
  owner: Pick<Visitor, 'ask'>,
  role: UserRole = 'support',
  email = `new${++invited}@example.com`,
): Promise<Json> {
  const fields = 'invitation { id email role inviterName sentAt expiresAt }';
  return { ...(await mutate(owner, 'inviteUser', { email, role }, fields)), email };
}
let invited = 0;

/** Accepts an invitation as Ada Wong, unless said otherwise; with it comes whom the session then shows. */
export async function acceptInvitation(
  browser: Pick<Visitor, 'ask'>,
  token: string,
  input: object = {},
): Promise<Json> {
  const person = { name: 'Ada Wong', password: 'tea leaves at dawn', ...input };
  const answer = await mutateAsPage(browser, 'acceptInvitation', { token, ...person });
  if (answer.__typename !== 'AcceptInvitationSuccess') return answer;
  const { data } = await browser.ask('{ viewer { user { email name role } merchant { id } } }');
  return { ...answer, viewer: data.viewer };
}
