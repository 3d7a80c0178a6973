import { processResetRequests } from '../../src/domain/accounts/user/reset-password.ts';
import type { FakeClock } from './fake-clock.ts';
import { type GraphqlApp, mutate } from './graphql.ts';
import { password, signInAs } from './sign-in.ts';
import { acceptInvitation, authenticatorCode, enableTwoFactor, invite, readLinkToken } from './users.ts';
import { createVisitor, mutateAsPage } from './visitor.ts';

/**
 * Uses two-factor authentication (enabled and pending), recovery codes, password resets, an unconfirmed email address,
 * invitations, a chat and an API key. Returns the secrets by name.
 */
export async function exerciseTeamFeatures(
  app: GraphqlApp,
  clock: FakeClock,
): Promise<Record<string, string>> {
  const { service } = app.context;
  const owner = await signInAs('owner', app, app.merchant);
  const twoFactor = await enableTwoFactor(owner, { password, clock });
  await mutate(owner, 'reauthenticate', { code: authenticatorCode(twoFactor.secret, clock.now(), 1) });
  const developer = await signInAs('developer', app, app.merchant);
  const settings = [{ channel: 'chat', topic: 'payments', frequency: 'daily' }];
  const chatUrl = 'https://chat.example/secret-of-chat';
  await mutate(developer, 'updateNoticeSettings', { settings, chatUrl });
  const pendingTwoFactor = await mutate(developer, 'beginTwoFactorSetup', { password }, 'secret');
  await mutateAsPage(createVisitor(app.app), 'requestPasswordReset', { email: developer.email });
  await processResetRequests(service, { now: clock.now() });
  await mutateAsPage(createVisitor(app.app), 'requestPasswordReset', { email: owner.email });
  const { smtpUrl } = service.settings;
  service.settings.smtpUrl = 'smtp://127.0.0.1:1';
  await mutate(developer, 'changeEmail', { email: 'new-address@shop.example', password });
  service.settings.smtpUrl = smtpUrl;
  const token = await readLinkToken(service, (await invite(owner)).email, 'invitation');
  const acceptedToken = await readLinkToken(service, (await invite(owner)).email, 'invitation');
  await acceptInvitation(createVisitor(app.app), acceptedToken, {
    password: 'a password of the newest user',
  });
  const apiKeyInput = { kind: 'secret', name: 'Till', permissions: ['read'] };
  const { secret } = await mutate(owner, 'createApiKey', apiKeyInput, 'secret');
  return {
    'two-factor secret': twoFactor.secret,
    'pending two-factor secret': pendingTwoFactor.secret,
    'recovery code': twoFactor.recoveryCodes[0]!,
    'session cookie': owner.cookie()!.split('=')[1]!,
    'reset link': await readLinkToken(service, developer.email, 'password-reset'),
    'link to confirm an email address': await readLinkToken(
      service,
      'new-address@shop.example',
      'email-change',
    ),
    'invitation link': token,
    'accepted invitation link': acceptedToken,
    'password of an invited user': 'a password of the newest user',
    'secret of a key': secret,
    'chat address': chatUrl,
  };
}
