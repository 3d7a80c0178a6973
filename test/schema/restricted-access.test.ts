import { beforeAll, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { copyCompletedCharge } from '../setup/copy-rows.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { seedMerchant } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';

const onCleanup = cleanupAfterFile();

/** Restricted access: asked for by owners, granted by volume or by operators, who switch operations and accounts too. */

let app: GraphqlApp;
let owner: SignedInUser;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  owner = await signInAs('owner', app, app.merchant);
});

const request = `mutation { requestRestrictedAccess {
  __typename
  ... on RequestRestrictedAccessSuccess {
    merchant { restrictedAccess restrictedAccessRequestedAt monthlyVolumes { month shortfallUsd } }
    monthlyVolumes { month volumeUsd shortfallUsd }
  }
  ... on UserError { code }
} }`;
const grant =
  'mutation ($id: ID!) { grantRestrictedAccess(input: { merchantId: $id }) { __typename ... on UserError { code } } }';
const decline =
  'mutation ($id: ID!) { declineRestrictedAccess(input: { merchantId: $id, reason: "Too young" }) { __typename ... on UserError { code } } }';

test('is asked for by the owner: left for an operator with the months that fall short, or granted', async () => {
  const merchant = await seedMerchant(app.context.service, { restricted: 'none' });
  const asker = await signInAs('owner', app, merchant);
  const { data } = await asker.ask(request);
  const answer = data.requestRestrictedAccess;
  expect(answer.merchant.restrictedAccess).toBe('requested');
  expect(answer.monthlyVolumes).toHaveLength(6);
  expect(answer.monthlyVolumes[0]).toEqual({
    month: expect.stringMatching(/^\d{4}-\d{2}$/),
    volumeUsd: '0.00',
    shortfallUsd: '2000000.00',
  });
  for (const { month } of answer.monthlyVolumes as Json[]) {
    const at = new Date(`${month}-15T00:00:00Z`);
    await copyCompletedCharge(app.context.service, merchant, { at, cents: 200_000_000n });
  }
  const granted = (await asker.ask(request)).data.requestRestrictedAccess;
  expect(granted.merchant.restrictedAccess).toBe('granted');
  expect(new Set(granted.monthlyVolumes.map(({ shortfallUsd }: Json) => shortfallUsd))).toEqual(
    new Set(['0.00']),
  );
  expect((await app.ask('{ translation(locale: en) }', { as: merchant.keys.live })).errors).toBeUndefined();
});

test('not by a key, nor by another role', async () => {
  const developer = await signInAs('developer', app, app.merchant);
  const denied = { __typename: 'PermissionError', code: 'permission_denied' };
  expect((await developer.ask(request)).data.requestRestrictedAccess).toEqual(denied);
  expect((await app.ask(request)).data.requestRestrictedAccess).toEqual(denied);
});

test('is granted and declined by operators alone, who see the merchants that ask', async () => {
  const merchant = await seedMerchant(app.context.service, { restricted: 'none', name: 'Asking' });
  const asker = await signInAs('owner', app, merchant);
  const operator = await signInAs('operator', app);
  await asker.ask(request);
  const variables = { id: merchant.merchant.id };
  const denied = { __typename: 'PermissionError', code: 'permission_denied' };
  for (const visitor of [asker, owner]) {
    expect((await visitor.ask(grant, { variables })).data.grantRestrictedAccess).toEqual(denied);
    expect((await visitor.ask(decline, { variables })).data.declineRestrictedAccess).toEqual(denied);
  }
  expect((await app.ask(grant, { variables })).data.grantRestrictedAccess).toEqual(denied);

  const waiting =
    '{ merchants(filter: { restrictedAccess: requested }) { totalCount nodes { id name monthlyVolumes { shortfallUsd } } } }';
  const { data } = await operator.ask(waiting);
  expect(data.merchants).toMatchObject({ totalCount: 1, nodes: [{ id: variables.id, name: 'Asking' }] });
  for (const query of [waiting, '{ merchants { totalCount } }']) {
    expect((await owner.ask(query)).errors[0].extensions.code).toBe('permission_denied');
    expect((await app.ask(query)).errors[0].extensions.code).toBe('permission_denied');
  }
  await operator.ask(decline, { variables });
  const { data: told } = await asker.ask(
    '{ me { restrictedAccess restrictedAccessDeclineReason } auditEntries(first: 1) { nodes { action actorName } } }',
  );
  expect(told).toEqual({
    me: { restrictedAccess: 'none', restrictedAccessDeclineReason: 'Too young' },
    auditEntries: { nodes: [{ action: 'access.declined', actorName: 'operator' }] },
  });
  expect((await operator.ask(grant, { variables })).data.grantRestrictedAccess.__typename).toBe(
    'GrantRestrictedAccessSuccess',
  );
  const { data: now } = await asker.ask('{ me { restrictedAccess restrictedAccessDeclineReason } }');
  expect(now.me).toEqual({ restrictedAccess: 'granted', restrictedAccessDeclineReason: null });
});

test('operators switch operations and accounts, over GraphQL too', async () => {
  const operator = await signInAs('operator', app);
  const { id } = app.otherMerchant.merchant;
  const turn = `mutation ($id: ID!, $on: Boolean!, $names: [String!]!) {
    setOperationsEnabled(input: { merchantId: $id, operations: $names, isEnabled: $on }) {
      __typename ... on SetOperationsEnabledSuccess { merchant { disabledOperations } } ... on UserError { code } } }`;
  const turned = await operator.ask(turn, { variables: { id, on: false, names: ['forex', 'charges'] } });
  expect(turned.data.setOperationsEnabled.merchant.disabledOperations).toEqual(['charges', 'forex']);
  const unknown = await operator.ask(turn, { variables: { id, on: false, names: ['nothing'] } });
  expect(unknown.data.setOperationsEnabled.code).toBe('invalid_request');
  const byOwner = await owner.ask(turn, { variables: { id, on: true, names: ['forex'] } });
  expect(byOwner.data.setOperationsEnabled.code).toBe('permission_denied');
  const disable = `mutation ($id: ID!, $disabled: Boolean!) {
    setMerchantEnabled(input: { id: $id, disabled: $disabled }) { __typename ... on UserError { code } } }`;
  await operator.ask(disable, { variables: { id, disabled: true } });
  const off = await app.ask('{ me { id } }', { as: app.otherMerchant.keys.live });
  expect(off.errors[0].extensions.code).toBe('account_disabled');
  await operator.ask(disable, { variables: { id, disabled: false } });
  expect((await app.ask('{ me { id } }', { as: app.otherMerchant.keys.live })).data.me.id).toBe(id);
});
