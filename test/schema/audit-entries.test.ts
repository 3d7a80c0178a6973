import { beforeAll, describe, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, readAllPages, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { type SignedInUser, signInAs } from '../setup/sign-in.ts';

const onCleanup = cleanupAfterFile();

/** The list of who changed what, when and from where. */

const clock = createFakeClock(noon);
let app: GraphqlApp;
let owner: SignedInUser;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
  owner = await signInAs('owner', app, app.merchant);
});

const list = `query ($after: String) {
  auditEntries(first: 3, after: $after) {
    nodes { id action actor actorName ipAddress mode objectId detailsJson createdAt }
    pageInfo { hasNextPage endCursor }
  }
}`;
const newest = async () => (await owner.ask(list)).data.auditEntries.nodes[0];
const settings = (markup: string) => `mutation {
  updateMerchantSettings(input: { exchangeRateMarkup: "${markup}" }) { __typename ... on UserError { code } } }`;

describe('the audit trail', () => {
  test('says who did what, when and from where, and what it was before', async () => {
    await owner.ask(settings('0.01'));
    await owner.ask(settings('0.02'));
    const { data: viewer } = await owner.ask('{ viewer { user { id } } me { id } }');
    expect(await newest()).toMatchObject({
      action: 'settings.updated',
      actor: `user:${viewer.viewer.user.id}`,
      actorName: owner.email,
      ipAddress: owner.address,
      mode: null,
      objectId: viewer.me.id,
    });
    expect(JSON.parse((await newest()).detailsJson)).toEqual({ markup: { from: '0.01', to: '0.02' } });
    await app.ask(settings('0.03'));
    expect(await newest()).toMatchObject({
      actor: expect.stringMatching(/^key:key_/),
      actorName: 'First key',
      ipAddress: '127.0.0.1',
    });
  });

  test('tells nothing where nothing changed, and nothing of what was refused', async () => {
    await owner.ask(settings('0.04'));
    const before = await newest();
    await owner.ask(settings('0.04'));
    await owner.ask(settings('0.3'));
    expect(await newest()).toEqual(before);
  });

  test('begins with the merchant and its owner, and pages without a gap', async () => {
    for (const markup of ['0.05', '0.06']) await owner.ask(settings(markup));
    const ids = await readAllPages(async (after) => {
      const { data } = await owner.ask(list, { variables: { after } });
      const { nodes, pageInfo } = data.auditEntries;
      return {
        ids: nodes.map(({ action }: Json) => action),
        cursor: pageInfo.endCursor,
        hasMore: pageInfo.hasNextPage,
      };
    });
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.slice(-2)).toEqual(['user.created', 'merchant.created']);
    const total = await owner.ask('{ auditEntries { totalCount } }');
    expect(total.data.auditEntries.totalCount).toBe(ids.length);
  });

  test('is for owners and keys that manage; of the other mode and other merchants nothing is seen', async () => {
    const query = '{ auditEntries { totalCount } }';
    for (const role of ['developer', 'support'] as const) {
      const visitor = await signInAs(role, app, app.merchant);
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
      as: app.otherMerchant.keys.live,
    });
    expect(byStranger.data).toEqual({ auditEntry: null, node: null });
  });

  test('is looked through by action, by who did it, by object and by time', async () => {
    const query =
      'query ($f: AuditEntryFilter) { auditEntries(filter: $f, first: 50) { totalCount nodes { action objectId } } }';
    const entries = (filter: object) => owner.ask(query, { variables: { f: filter } });
    await mutate(owner, 'inviteUser', { email: 'one@example.com', role: 'support' });
    clock.set(minutesAfter(noon, 10));
    await mutate(owner, 'inviteUser', { email: 'two@example.com', role: 'support' });
    clock.set(noon);
    const { data } = await entries({ actions: ['user.invited'] });
    expect(data.auditEntries.totalCount).toBe(2);
    const [{ objectId }] = data.auditEntries.nodes;
    const counted = async (filter: object) => (await entries(filter)).data.auditEntries.totalCount;
    expect(await counted({ actions: ['user.*'], objectId })).toBe(1);
    expect(await counted({ actions: ['webhook.*'] })).toBe(0);
    expect(await counted({ actions: ['user.invited'], createdFrom: minutesAfter(noon, 5) })).toBe(1);
    expect(await counted({ actions: ['user.invited'], createdTo: minutesAfter(noon, 5) })).toBe(1);
    expect(await counted({ actions: ['user.invited'], actor: 'operator' })).toBe(0);
    const { errors } = await entries({ actions: ['user.*', 'tea.*'] });
    expect(errors[0].extensions.errors).toEqual([
      { path: '/filter/actions/1', message: 'is not a known action: tea.*' },
    ]);
  });
});
