import { beforeAll, describe, expect, test } from 'vitest';
import { copyCompletedCharge } from '../setup/copy-rows.ts';
import { type GraphqlApp, graphqlApp, type Json, pageThrough } from '../setup/graphql.ts';
import { makeMerchant } from '../setup/makers.ts';
import { type SignedIn, signedInAs } from '../setup/sign-in.ts';

/** Who changed what, when and from where; and the doors of restricted access, which write there. */

let app: GraphqlApp;
let owner: SignedIn;

beforeAll(async () => {
  app = await graphqlApp();
  owner = await signedInAs('owner', app, app.merchant);
});

const list = `query ($after: String) {
  auditEntries(first: 3, after: $after) {
    nodes { id action actor actorName address mode objectId detail createdAt }
    pageInfo { hasNextPage endCursor }
  }
}`;
const newest = async () => (await owner.ask(list)).data.auditEntries.nodes[0];
const settings = (markup: string) => `mutation {
  updateMerchantSettings(input: { markup: "${markup}" }) { __typename ... on Error { code } } }`;

describe('the audit trail', () => {
  test('says who did what, when and from where, and what it was before', async () => {
    await owner.ask(settings('0.02'));
    const { data: viewer } = await owner.ask('{ viewer { user { id } } me { id } }');
    expect(await newest()).toMatchObject({
      action: 'settings.updated',
      actor: `user:${viewer.viewer.user.id}`,
      actorName: owner.email,
      address: owner.address,
      mode: null,
      objectId: viewer.me.id,
    });
    expect(JSON.parse((await newest()).detail)).toEqual({ markup: { from: '0', to: '0.02' } });
    await app.ask(settings('0.03'));
    expect(await newest()).toMatchObject({
      actor: expect.stringMatching(/^key:key_/),
      actorName: 'First key',
      address: '127.0.0.1',
    });
  });

  test('tells nothing where nothing changed, and nothing of what was refused', async () => {
    const before = await newest();
    await owner.ask(settings('0.03'));
    await owner.ask(settings('0.3'));
    expect(await newest()).toEqual(before);
  });

  test('begins with the merchant and its owner, and pages without a gap', async () => {
    const ids = await pageThrough(async (after) => {
      const { data } = await owner.ask(list, { variables: { after } });
      const { nodes, pageInfo } = data.auditEntries;
      return {
        ids: nodes.map(({ action }: Json) => action),
        cursor: pageInfo.endCursor,
        hasMore: pageInfo.hasNextPage,
      };
    });
    expect(ids.slice(-2)).toEqual(['user.created', 'merchant.created']);
    const total = await owner.ask('{ auditEntries { totalCount } }');
    expect(total.data.auditEntries.totalCount).toBe(ids.length);
  });

  test('is for owners and keys that manage; of the other mode and other merchants nothing is seen', async () => {
    const query = '{ auditEntries { totalCount } }';
    for (const role of ['developer', 'support'] as const) {
      const visitor = await signedInAs(role, app, app.merchant);
      const { errors } = await visitor.ask(query, { mode: 'sandbox' });
      expect(errors[0].extensions.code).toBe('permission_denied');
    }
    expect((await app.ask(query)).data.auditEntries.totalCount).toBeGreaterThan(0);
    await owner.ask('mutation { createApiKey(input: { name: "Try", kind: secret }) { __typename } }', {
      mode: 'sandbox',
    });
    const actions = async (mode: 'live' | 'sandbox') =>
      (await owner.ask('{ auditEntries { nodes { action } } }', { mode })).data.auditEntries.nodes.map(
        ({ action }: Json) => action,
      );
    expect(await actions('sandbox')).toContain('api_key.created');
    expect(await actions('live')).not.toContain('api_key.created');
    const { sandbox } = app.merchant.keys;
    const bySandboxKey = await app.ask('{ auditEntries(first: 50) { nodes { mode } } }', { as: sandbox });
    const modes = bySandboxKey.data.auditEntries.nodes.map(({ mode }: Json) => mode);
    expect(new Set(modes)).toEqual(new Set(['sandbox']));
    const entry = await newest();
    const byStranger = await app.ask('query ($id: ID!) { auditEntry(id: $id) { id } node(id: $id) { id } }', {
      variables: { id: entry.id },
      as: app.stranger.keys.live,
    });
    expect(byStranger.data).toEqual({ auditEntry: null, node: null });
  });

  test('cannot be changed or deleted, not even by SQL', async () => {
    const { prisma } = app.context.service;
    await expect(prisma.auditEntry.updateMany({ data: { actor: 'nobody' } })).rejects.toThrow(/append-only/);
    await expect(prisma.auditEntry.deleteMany()).rejects.toThrow(/append-only/);
  });
});

describe('restricted access', () => {
  const request = `mutation { requestRestrictedAccess {
    __typename
    ... on RequestRestrictedAccessSuccess {
      merchant { restrictedAccess accessRequestedAt accessMonths { month missing } }
      months { month volume missing }
    }
    ... on Error { code }
  } }`;
  const grant =
    'mutation ($id: ID!) { grantRestrictedAccess(input: { merchantId: $id }) { __typename ... on Error { code } } }';
  const decline =
    'mutation ($id: ID!) { declineRestrictedAccess(input: { merchantId: $id, reason: "Too young" }) { __typename ... on Error { code } } }';

  test('is asked for by the owner: left for an operator with the months that fall short, or granted', async () => {
    const merchant = await makeMerchant(app.context.service, { restricted: 'none' });
    const asker = await signedInAs('owner', app, merchant);
    const { data } = await asker.ask(request);
    const answer = data.requestRestrictedAccess;
    expect(answer.merchant.restrictedAccess).toBe('requested');
    expect(answer.months).toHaveLength(6);
    expect(answer.months[0]).toEqual({
      month: expect.stringMatching(/^\d{4}-\d{2}$/),
      volume: '0.00',
      missing: '2000000.00',
    });
    for (const { month } of answer.months as Json[]) {
      const at = new Date(`${month}-15T00:00:00Z`);
      await copyCompletedCharge(app.context.service, merchant, { at, cents: 200_000_000n });
    }
    const granted = (await asker.ask(request)).data.requestRestrictedAccess;
    expect(granted.merchant.restrictedAccess).toBe('granted');
    expect(new Set(granted.months.map(({ missing }: Json) => missing))).toEqual(new Set(['0.00']));
    expect((await app.ask('{ translation(locale: en) }', { as: merchant.keys.live })).errors).toBeUndefined();
  });

  test('not by a key, nor by another role', async () => {
    const developer = await signedInAs('developer', app, app.merchant);
    const denied = { __typename: 'PermissionError', code: 'permission_denied' };
    expect((await developer.ask(request)).data.requestRestrictedAccess).toEqual(denied);
    expect((await app.ask(request)).data.requestRestrictedAccess).toEqual(denied);
  });

  test('is granted and declined by operators alone, who see the merchants that ask', async () => {
    const merchant = await makeMerchant(app.context.service, { restricted: 'none', name: 'Asking' });
    const asker = await signedInAs('owner', app, merchant);
    const operator = await signedInAs('operator', app);
    await asker.ask(request);
    const variables = { id: merchant.merchant.id };
    const denied = { __typename: 'PermissionError', code: 'permission_denied' };
    for (const visitor of [asker, owner]) {
      expect((await visitor.ask(grant, { variables })).data.grantRestrictedAccess).toEqual(denied);
      expect((await visitor.ask(decline, { variables })).data.declineRestrictedAccess).toEqual(denied);
    }
    expect((await app.ask(grant, { variables })).data.grantRestrictedAccess).toEqual(denied);

    const waiting =
      '{ merchants(filter: { restrictedAccess: requested }) { totalCount nodes { id name accessMonths { missing } } } }';
    const { data } = await operator.ask(waiting);
    expect(data.merchants).toMatchObject({ totalCount: 1, nodes: [{ id: variables.id, name: 'Asking' }] });
    for (const query of [waiting, '{ merchants { totalCount } }']) {
      expect((await owner.ask(query)).errors[0].extensions.code).toBe('permission_denied');
      expect((await app.ask(query)).errors[0].extensions.code).toBe('permission_denied');
    }
    await operator.ask(decline, { variables });
    const { data: told } = await asker.ask(
      '{ me { restrictedAccess accessDeclineReason } auditEntries(first: 1) { nodes { action actorName } } }',
    );
    expect(told).toEqual({
      me: { restrictedAccess: 'none', accessDeclineReason: 'Too young' },
      auditEntries: { nodes: [{ action: 'access.declined', actorName: 'operator' }] },
    });
    expect((await operator.ask(grant, { variables })).data.grantRestrictedAccess.__typename).toBe(
      'GrantRestrictedAccessSuccess',
    );
    const { data: now } = await asker.ask('{ me { restrictedAccess accessDeclineReason } }');
    expect(now.me).toEqual({ restrictedAccess: 'granted', accessDeclineReason: null });
  });

  test('operators switch operations and accounts, over GraphQL too', async () => {
    const operator = await signedInAs('operator', app);
    const { id } = app.stranger.merchant;
    const turn = `mutation ($id: ID!, $on: Boolean!, $names: [String!]!) {
      switchOperations(input: { merchantId: $id, operations: $names, on: $on }) {
        __typename ... on SwitchOperationsSuccess { merchant { switchedOff } } ... on Error { code } } }`;
    const turned = await operator.ask(turn, { variables: { id, on: false, names: ['forex', 'charges'] } });
    expect(turned.data.switchOperations.merchant.switchedOff).toEqual(['charges', 'forex']);
    const unknown = await operator.ask(turn, { variables: { id, on: false, names: ['nothing'] } });
    expect(unknown.data.switchOperations.code).toBe('invalid_request');
    const byOwner = await owner.ask(turn, { variables: { id, on: true, names: ['forex'] } });
    expect(byOwner.data.switchOperations.code).toBe('permission_denied');
    const disable = `mutation ($id: ID!, $disabled: Boolean!) {
      disableMerchant(input: { merchantId: $id, disabled: $disabled }) { __typename ... on Error { code } } }`;
    await operator.ask(disable, { variables: { id, disabled: true } });
    const off = await app.ask('{ me { id } }', { as: app.stranger.keys.live });
    expect(off.errors[0].extensions.code).toBe('account_disabled');
    await operator.ask(disable, { variables: { id, disabled: false } });
    expect((await app.ask('{ me { id } }', { as: app.stranger.keys.live })).data.me.id).toBe(id);
  });
});

test('the trail is append-only for the service’s own database user: no change, no deletion, no emptying', async () => {
  const { pool, prisma } = app.context.service;
  const count = await prisma.auditEntry.count();
  for (const statement of [
    `UPDATE audit_entry SET actor = 'nobody'`,
    'DELETE FROM audit_entry',
    'TRUNCATE audit_entry',
    'TRUNCATE merchant CASCADE',
    'TRUNCATE allocation',
  ])
    await expect(pool.query(statement), statement).rejects.toThrow(/is append-only/);
  expect([await prisma.auditEntry.count(), count > 0]).toEqual([count, true]);
});
