import { beforeAll, expect, test } from 'vitest';
import { processResetRequests } from '../../src/domain/accounts/user/process-reset-requests.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedMail } from '../setup/messages.ts';
import { noon, seedApiKey } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { enableTwoFactor, invite, reauthenticate } from '../setup/users.ts';
import { createVisitor, mutateAsPage } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/**
 * Finding 5 of the penetration test: without a mail server, a stolen session of an owner reads the other owners' password
 * links and the invitations of owners in the dev mailbox.
 */

const clock = createFakeClock(noon);
let app: GraphqlApp;
let owner: SignedInUser;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
  owner = await signInAs('owner', app, app.merchant);
  await mutateAsPage(createVisitor(app.app), 'requestPasswordReset', { email: owner.email });
  await processResetRequests(app.context.service, { now: clock.now() });
  await invite(owner, 'owner');
  const own = { merchantId: app.merchant.merchant.id, now: noon };
  for (const mode of ['live', 'sandbox'] as const) {
    for (const kind of ['refund-link', 'cancel-subscription'])
      await seedMail(app.context.service, { ...own, mode, kind, to: `${mode}@example.com` });
  }
  // As the worker leaves them where there is no mail server.
  await app.context.service.prisma.message.updateMany({
    data: { status: 'captured', nextAttemptAt: null, finishedAt: noon },
  });
});

/** The kinds of messages that are listed, and those of them whose content is shown. */
async function read(ask: (query: string, options?: object) => Promise<{ data: Json }>, options = {}) {
  const { data } = await ask('{ outboundMessages(first: 50) { nodes { id kind text html } } }', options);
  const { nodes } = data.outboundMessages as {
    nodes: { id: string; kind: string; text: unknown; html: unknown }[];
  };
  const shown = nodes.filter(({ text, html }) => text !== null || html !== null);
  const single = await Promise.all(
    nodes.map(
      async ({ id }) =>
        (await ask(`{ outboundMessage(id: "${id}") { text } }`, options)).data.outboundMessage.text,
    ),
  );
  expect(single.filter((text) => text !== null)).toHaveLength(shown.length);
  return { listed: new Set(nodes.map(({ kind }) => kind)), shown: new Set(shown.map(({ kind }) => kind)) };
}

const team = ['password-reset', 'invitation'];
const links = ['refund-link', 'cancel-subscription'];

test('an owner without two-factor authentication reads messages once they have given the password', async () => {
  const colleague = await signInAs('owner', app, app.merchant);
  const { listed, shown } = await read(colleague.ask);
  expect([...listed]).toEqual(expect.arrayContaining([...team, ...links]));
  expect([...shown]).toEqual([]);
  await mutate(colleague, 'reauthenticate', { password });
  expect([...(await read(colleague.ask)).shown]).toEqual(expect.arrayContaining([...team, ...links]));
  clock.advance(15 * minuteMs);
  expect([...(await read(colleague.ask)).shown]).toEqual([]);
});

test('an owner with two-factor authentication reads them once they have entered a code', async () => {
  const colleague = await signInAs('owner', app, app.merchant);
  const { secret } = await enableTwoFactor(colleague, { password, clock });
  clock.advance(minuteMs);
  expect([...(await read(colleague.ask)).shown]).toEqual([]);
  expect((await mutate(colleague, 'reauthenticate', { password })).code).toBe('second_factor_required');
  await reauthenticate(colleague, { secret, clock });
  expect([...(await read(colleague.ask)).shown]).toEqual(expect.arrayContaining([...team, ...links]));
});

test('in the sandbox the messages of customers are free to read, those of the team are not', async () => {
  const colleague = await signInAs('owner', app, app.merchant);
  const { listed, shown } = await read(colleague.ask, { mode: 'sandbox' });
  expect([...listed]).toEqual(expect.arrayContaining([...team, ...links]));
  expect([...shown].sort()).toEqual([...links].sort());
});

test('an API key reads no messages of the team, and only links that it has the permission for', async () => {
  const shownTo = async (permissions: ('read' | 'write' | 'refund' | 'transfers')[]) => {
    const key = await seedApiKey(app.context.service, app.merchant, { permissions });
    const { listed, shown } = await read((query) => app.ask(query, { as: key }));
    expect([...listed].filter((kind) => team.includes(kind))).toEqual([]);
    return [...shown].sort();
  };
  expect(await shownTo(['read', 'transfers'])).toEqual([]);
  expect(await shownTo(['read', 'write'])).toEqual(['cancel-subscription']);
  expect(await shownTo(['read', 'refund'])).toEqual(['refund-link']);
});

test('a session that has ended since gives nothing, whatever it had proved', async () => {
  const colleague = await signInAs('owner', app, app.merchant);
  await mutate(colleague, 'reauthenticate', { password });
  clock.advance(15 * dayMs);
  expect((await colleague.ask('{ outboundMessages { nodes { text } } }')).errors[0].extensions.code).toBe(
    'unauthenticated',
  );
});
