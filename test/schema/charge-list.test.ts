import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
const now = new Date();

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const chargeOf = (email: string, options: { mode?: 'live' | 'sandbox'; at?: Date; input?: object } = {}) =>
  seedCharge(app.context.service, app.merchant, {
    ...(options.mode && { mode: options.mode }),
    input: { email, ...options.input },
    now: options.at ?? now,
  });

const pay = (charge: Charge, minor?: bigint) =>
  payCharge(app.context.service, app.merchant, charge, { ...(minor !== undefined && { minor }), now });

describe('charges(filter)', () => {
  const list = async (filter: object) => {
    const query = 'query ($filter: ChargeFilter) { charges(filter: $filter) { totalCount nodes { id } } }';
    const { data, errors } = await app.ask(query, { variables: { filter } });
    expect(errors).toBeUndefined();
    const ids = data.charges.nodes.map((node: Json) => node.id);
    expect(data.charges.totalCount).toBe(ids.length);
    return ids;
  };

  test('takes one status or several, and an empty list does not restrict', async () => {
    const customerEmail = 'states@example.com';
    const open = await chargeOf(customerEmail, { input: { merchantAmount: 1 } });
    const paid = await chargeOf(customerEmail, { input: { merchantAmount: 2 } });
    await pay(paid, 200n);
    expect(await list({ customerEmail, statuses: 'pending' })).toEqual([open.id]);
    expect(await list({ customerEmail, statuses: ['completed', 'expired'] })).toEqual([paid.id]);
    expect((await list({ customerEmail, statuses: ['pending', 'completed'] })).sort()).toEqual(
      [open.id, paid.id].sort(),
    );
    expect((await list({ customerEmail, statuses: [] })).sort()).toEqual([open.id, paid.id].sort());
  });

  test('includes both ends of a span of time, a whole second to its end', async () => {
    const customerEmail = 'times@example.com';
    const at = new Date('2026-03-01T10:00:00.500Z');
    const charge = await chargeOf(customerEmail, { at });
    const found = [charge.id];
    expect(await list({ customerEmail, createdFrom: at.toISOString(), createdTo: at.toISOString() })).toEqual(
      found,
    );
    expect(await list({ customerEmail, createdTo: '2026-03-01T10:00:00Z' })).toEqual(found);
    expect(await list({ customerEmail, createdTo: '2026-03-01T10:00:00.499Z' })).toEqual([]);
    expect(await list({ customerEmail, createdFrom: '2026-03-01T10:00:00.501Z' })).toEqual([]);
    expect(await list({ customerEmail, createdFrom: '2026-03-01T18:00:00+08:00' })).toEqual(found);
  });

  test('by method and currency', async () => {
    const customerEmail = 'methods@example.com';
    const hongKong = await chargeOf(customerEmail);
    const bank = await chargeOf(customerEmail, { input: { method: 'hk-bank-transfer' } });
    const thai = await chargeOf(customerEmail, { input: { method: 'prompt-pay' } });
    expect(await list({ customerEmail, method: 'hk_bank_transfer' })).toEqual([bank.id]);
    expect(await list({ customerEmail, customerCurrency: 'THB' })).toEqual([thai.id]);
    expect((await list({ customerEmail, customerCurrency: 'HKD' })).sort()).toEqual(
      [hongKong.id, bank.id].sort(),
    );
  });

  test('by e-mail, whatever its case, and by phone only without an e-mail', async () => {
    const charge = await chargeOf('Case@Example.com');
    await app.context.service.prisma.charge.update({
      where: { id: charge.id },
      data: { phone: '+85251234567' },
    });
    expect(await list({ customerEmail: 'cASE@example.COM' })).toEqual([charge.id]);
    expect(await list({ customerEmail: 'case@example' })).toEqual([]);
    expect(await list({ customerPhone: '85251234567' })).toEqual([charge.id]);
    expect(await list({ customerPhone: '+85251234567' })).toEqual([charge.id]);
    expect(await list({ customerPhone: '51234567' })).toEqual([]);
    expect(await list({ customerPhone: '0', customerEmail: 'case@example.com' })).toEqual([charge.id]);
  });

  test.each([
    ['customerEmail', 'a\0b'],
    ['customerEmail', 'x'.repeat(255)],
    ['customerPhone', '\0'],
    ['startDate', '2026-02-30T00:00:00Z'],
    ['endDate', '2026-03-01'],
    ['status', 'paid'],
    ['method', 'cash'],
    ['customerCurrency', 'hkd'],
  ])('refuses %s: %j', async (name, value) => {
    const query = 'query ($filter: ChargeFilter) { charges(filter: $filter) { nodes { id } } }';
    const { errors } = await app.ask(query, { variables: { filter: { [name]: value } } });
    expect(errors[0].extensions).toMatchObject({ code: 'invalid_request', requestId: expect.any(String) });
  });

  test('a sandbox list has sandbox charges alone', async () => {
    const charge = await chargeOf('sandbox@example.com', { mode: 'sandbox' });
    const query = '{ charges { nodes { id } } }';
    const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
    expect(data.charges.nodes).toEqual([{ id: charge.id }]);
  });
});
