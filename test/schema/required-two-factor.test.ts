import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { isAccountOperation } from '../../src/domain/accounts/user/two-factor-rules.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { setupTeam } from '../setup/auth.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type Json, mutate } from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { password, type SignedInUser } from '../setup/sign-in.ts';
import { authenticatorCode, enableTwoFactor, reauthenticate } from '../setup/users.ts';
import { publicOrigin } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** A merchant that requires two-factor authentication of every user, and how long a re-authentication counts. */

const office = await setupTeam(onCleanup);
const { clock, served } = office;
let owner: SignedInUser;
let secret: string;

beforeEach(async () => {
  await office.newMerchant();
  owner = office.owner();
  ({ secret } = await enableTwoFactor(owner, { password, clock }));
  clock.advance(minuteMs);
});

const update = (input: object, by: Pick<SignedInUser, 'ask'> = owner) =>
  mutate(by, 'updateMerchantSettings', input, 'merchant { isTwoFactorRequired reauthenticationMinutes }');

const codeOf = ({ data, errors }: Json, name: string): string | undefined =>
  errors?.[0].extensions.code ?? data[name]?.code;

async function requireTwoFactor(): Promise<void> {
  await reauthenticate(owner, { secret, clock });
  const { merchant } = await update({ isTwoFactorRequired: true });
  expect(merchant).toEqual({ isTwoFactorRequired: true, reauthenticationMinutes: 15 });
}

describe('where two-factor authentication is required', () => {
  test('a user without it signs in, and every operation but those of their own sign-in is rejected', async () => {
    await requireTwoFactor();
    const user = await office.signInAs('owner');
    const { data } = await user.ask('{ viewer { isTwoFactorSetupRequired permissions merchant { name } } }');
    expect(data.viewer).toMatchObject({ isTwoFactorSetupRequired: true, permissions: [] });
    const roots = [
      ['query', schema.getQueryType()!],
      ['mutation', schema.getMutationType()!],
    ] as const;
    for (const [kind, type] of roots) {
      for (const { name, args, type: result } of Object.values(type.getFields())) {
        if (isAccountOperation(name)) continue;
        const given = args.filter(({ type }) => String(type).endsWith('!'));
        const values = given.map((arg) => `${arg.name}: ${sampleInput(arg.type)}`).join(', ');
        const isLeaf = /^\[?(?:String|Int|Boolean|Translation|CurrencyCode|Decimal)/.test(String(result));
        const fields = kind === 'mutation' ? '{ ... on UserError { code } }' : isLeaf ? '' : '{ __typename }';
        const answer = await user.ask(`${kind} { ${name}${values && `(${values})`} ${fields} }`);
        expect([name, codeOf(answer, name)]).toEqual([name, 'two_factor_setup_required']);
      }
    }
  });

  test('files and live updates are closed to them too', async () => {
    const user = await office.signInAs('support');
    await requireTwoFactor();
    const headers = { cookie: user.cookie()!, origin: publicOrigin };
    for (const url of ['/exports/exp_x/file', '/statements/st_x/file']) {
      const answer = await served.app.inject({ url, headers });
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'two_factor_setup_required']);
    }
    const answer = await user.ask('subscription { chargesUpdated { id } }', {
      headers: { accept: 'text/event-stream' },
    });
    expect(answer.response.body).toContain('two_factor_setup_required');
  });

  test('they set it up, and everything their role may do is open', async () => {
    await requireTwoFactor();
    const user = await office.signInAs('support');
    expect(codeOf(await user.ask('{ me { id } }'), 'me')).toBe('two_factor_setup_required');
    await enableTwoFactor(user, { password, clock });
    const { data } = await user.ask('{ me { id } viewer { isTwoFactorSetupRequired permissions } }');
    expect(data.viewer).toEqual({ isTwoFactorSetupRequired: false, permissions: ['read', 'write'] });
  });

  test('a user who disables it is back at the set-up', async () => {
    await requireTwoFactor();
    clock.advance(minuteMs);
    const code = authenticatorCode(secret, clock.now());
    await mutate(owner, 'disableTwoFactor', { password, code });
    expect((await update({ isTwoFactorRequired: false })).code).toBe('two_factor_setup_required');
  });

  test('API keys and other merchants go on as before', async () => {
    await requireTwoFactor();
    const { live } = office.merchant().keys;
    const authorization = `Basic ${btoa(`${live.apiKey}:${live.apiSecret}`)}`;
    const answer = await served.app.inject({ url: '/charges', headers: { authorization } });
    expect(answer.statusCode).toBe(200);
    await office.newMerchant();
    const { data } = await office.owner().ask('{ viewer { isTwoFactorSetupRequired } me { id } }');
    expect(data.viewer.isTwoFactorSetupRequired).toBe(false);
  });
});

describe('the two settings', () => {
  test('take a recent code in either direction, and in the sandbox as well', async () => {
    for (const mode of ['live', 'sandbox'] as const) {
      const by = { ask: (query: string, options?: object) => owner.ask(query, { ...options, mode }) };
      for (const input of [
        { isTwoFactorRequired: true },
        { isTwoFactorRequired: false },
        { reauthenticationMinutes: 60 },
      ])
        expect((await update(input, by)).code).toBe('second_factor_required');
    }
  });

  test('are for owners only: not for an API key, nor for a developer', async () => {
    const { live } = office.merchant().keys;
    const headers = { authorization: `Basic ${btoa(`${live.apiKey}:${live.apiSecret}`)}` };
    const byKey = { ask: (query: string, options?: object) => owner.ask(query, { ...options, headers }) };
    for (const by of [byKey, await office.signInAs('developer')])
      for (const input of [{ isTwoFactorRequired: true }, { reauthenticationMinutes: 5 }])
        expect((await update(input, by)).code).toBe('permission_denied');
    expect((await update({ exchangeRateMarkup: '0.01' }, byKey)).__typename).toBe(
      'UpdateMerchantSettingsSuccess',
    );
  });

  test('a re-authentication counts for the minutes that are set, 5 to 60, and the audit trail has the change', async () => {
    await reauthenticate(owner, { secret, clock });
    for (const reauthenticationMinutes of [4, 61])
      expect((await update({ reauthenticationMinutes })).errors).toEqual([
        { path: '/reauthenticationMinutes', message: 'must be an integer from 5 to 60' },
      ]);
    expect((await update({ reauthenticationMinutes: 5 })).merchant.reauthenticationMinutes).toBe(5);
    clock.advance(5 * minuteMs - 1);
    expect((await update({ exchangeRateMarkup: '0.01' })).__typename).toBe('UpdateMerchantSettingsSuccess');
    clock.advance(1);
    expect((await update({ exchangeRateMarkup: '0.02' })).code).toBe('second_factor_required');
    const entry = await served.context.service.prisma.auditEntry.findFirst({
      where: { merchantId: office.merchant().merchant.id, action: 'settings.updated' },
      orderBy: { id: 'asc' },
    });
    expect(entry?.detail).toEqual({ reauthenticationMinutes: { from: 15, to: 5 } });
  });
});
