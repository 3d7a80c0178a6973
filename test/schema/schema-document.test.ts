import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLObjectType,
  type GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isScalarType,
  printSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { findNewestRelease, findUnannounced, listBreakingChanges } from '../../scripts/released-schema.ts';
import { errorCatalog } from '../../src/kit/errors.ts';
import { methodCodes } from '../../src/method/catalog.ts';

describe('Schema document', () => {
  const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));

  const errorTypes = [
    'ConflictError',
    'InvalidRequestError',
    'NotFoundError',
    'PermissionError',
    'RateLimitedError',
    'UnprocessableError',
  ];

  describe('the schema', () => {
    test('is the one printed in schema/schema.graphql', async () => {
      const printed = await readFile(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
      const hint = 'To update it: npx node scripts/print-schema.ts, and commit it with the change.';
      expect(`${printSchema(schema)}\n`, hint).toBe(printed);
    });

    test('describes every type, field, argument and enum value', () => {
      const undescribed = types.flatMap((type) => [
        ...(isScalarType(type) && ['Int', 'Float', 'String', 'Boolean'].includes(type.name) ? [] : [type]),
        ...(isEnumType(type) ? type.getValues() : []),
        ...(isObjectType(type) || isInterfaceType(type)
          ? Object.values(type.getFields()).flatMap((field) => [field, ...field.args])
          : []),
        ...(isInputObjectType(type) ? Object.values(type.getFields()) : []),
      ]);
      expect(undescribed.filter(({ description }) => !description).map(String)).toEqual([]);
    });

    test('links to the public specifications of its scalars, and meets that of DateTime', () => {
      const scalars = types.filter(isScalarType);
      const urls = scalars.map(({ name, specifiedByURL }) => [name, specifiedByURL] as const);
      expect(Object.fromEntries(urls.filter(([, url]) => url))).toEqual({
        CountryCode: 'https://www.iso.org/iso-3166-country-codes.html',
        CurrencyCode: 'https://www.iso.org/iso-4217-currency-codes.html',
        Date: 'https://scalars.graphql.org/andimarek/local-date.html',
        DateTime: 'https://scalars.graphql.org/andimarek/date-time.html',
      });
      const dateTime = scalars.find(({ name }) => name === 'DateTime')!;
      const instant = '2011-08-30T13:22:53.108Z';
      const equal = [
        '2011-08-30t13:22:53.108z',
        '2011-08-30T13:22:53.108+00:00',
        '2011-08-30T10:22:53.108-03:00',
      ];
      for (const text of equal)
        expect(dateTime.coerceOutputValue(dateTime.coerceInputValue(text))).toBe(instant);
      const invalid = [
        '2011-08-30T13:22:53.108-03',
        '2011-08-30',
        '2010-02-30T21:22:53.108Z',
        '2011-08-30T24:22:53.108Z',
      ];
      for (const text of invalid) expect(() => dateTime.coerceInputValue(text)).toThrow('must be');
    });

    test('has nullable root fields, so that a denied field does not make the others null', () => {
      const fields = Object.values(schema.getQueryType()!.getFields());
      // Relay’s specification has `nodes` as non-null.
      expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual(['nodes']);
    });

    test('has a Node for every object with an id', () => {
      const withId = types.filter(isObjectType).filter((type) => type.getFields().id);
      const nodes = withId.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
      expect(withId.filter((type) => !nodes.includes(type)).map(({ name }) => name)).toEqual([]);
    });

    test('has the codes of the payment methods, with _ instead of -', () => {
      const method = schema.getType('PaymentMethodCode');
      const names = isEnumType(method) ? method.getValues().map(({ name }) => name) : [];
      expect(names.sort()).toEqual(methodCodes.map((code) => code.replaceAll('-', '_')).sort());
    });
  });

  describe('errors', () => {
    test('have exactly six types', () => {
      const error = schema.getType('UserError');
      const implementers = isInterfaceType(error)
        ? schema.getPossibleTypes(error).map(({ name }) => name)
        : [];
      expect(implementers.sort()).toEqual(errorTypes);
    });

    test('have the codes of the catalog', () => {
      const codes = schema.getType('ErrorCode');
      const names = isEnumType(codes) ? codes.getValues().map(({ name }) => name) : [];
      expect(names.sort()).toEqual(Object.keys(errorCatalog).sort());
    });
  });

  describe('every mutation', () => {
    const mutations = Object.values(schema.getMutationType()!.getFields());
    const withoutInput = ['deleteSandboxData', 'requestRestrictedAccess', 'signOut'];

    test.each(mutations.map((field) => [field.name, field] as const))(
      '%s has one input object, except for three, and returns its success or one of the six errors',
      (name, field) => {
        const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
        const args = field.args.map((arg) => `${arg.name}: ${arg.type}`);
        expect(args).toEqual(withoutInput.includes(name) ? [] : [`input: ${title}Input!`]);
        expect(String(field.type)).toBe(`${title}Result!`);
        const members = (schema.getType(`${title}Result`) as GraphQLUnionType).getTypes();
        expect(members.map((type) => type.name).sort()).toEqual([...errorTypes, `${title}Success`].sort());
      },
    );

    test('has authorization scopes, except signIn and signOut', () => {
      const open = mutations.filter((field) => !getScopes(field)).map(({ name }) => name);
      expect(open.sort()).toEqual(['signIn', 'signOut']);
    });
  });

  test('queries and live fields require the permission read, with few exceptions', () => {
    const roots = [schema.getQueryType()!, schema.getSubscriptionType()!];
    expect(roots.map((type) => getScopes(type))).toEqual([{ permission: 'read' }, { permission: 'read' }]);
    const forOthers = roots.flatMap((type) =>
      Object.values(type.getFields()).filter((field) => getOptions(field).skipTypeScopes),
    );
    expect(forOthers.map(({ name }) => name).sort()).toEqual([
      'charge',
      'chargeUpdated',
      'counterSaleUpdated',
      'exchangeRates',
      'installationHealth',
      'invitationPreview',
      'merchant',
      'merchants',
      'operationNames',
      'paymentMethods',
      'pointOfSale',
      'session',
      'sessionUpdated',
      'viewer',
    ]);
    expect(forOthers.filter((field) => !getScopes(field)).map(({ name }) => name)).toEqual(['viewer']);
  });

  type Defined = GraphQLObjectType | GraphQLField<unknown, unknown>;

  function getOptions(defined: Defined): { authScopes?: unknown; skipTypeScopes?: boolean } {
    return (defined.extensions.pothosOptions ?? {}) as object;
  }

  function getScopes(defined: Defined): unknown {
    return getOptions(defined).authScopes;
  }
});

describe('the names of the GraphQL interface', () => {
  /** Names that the interface guarantees. */

  const schema = buildSchema(readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));

  const list = (text: string) => text.trim().split(/\s+/);

  const missingFrom = (fields: GraphQLFieldMap<unknown, unknown> | undefined, names: string[]) =>
    names.filter((name) => !Object.hasOwn(fields ?? {}, name));

  /** Every type with its queries. Types without a list are fields of the objects they belong to. */
  const pairs: Record<string, [one: string, many?: string]> = {
    Charge: ['charge', 'charges'],
    Refund: ['refund', 'refunds'],
    CheckoutSession: ['session', 'sessions'],
    CheckoutLink: ['checkoutLink', 'checkoutLinks'],
    Customer: ['customer', 'customers'],
    SubscriptionPlan: ['subscriptionPlan', 'subscriptionPlans'],
    SubscriptionContract: ['subscription', 'subscriptions'],
    Invoice: ['invoice', 'invoices'],
    Transfer: ['transfer', 'transfers'],
    Allocation: ['allocation'],
    ReceivingAccount: ['receivingAccount', 'receivingAccounts'],
    Statement: ['statement', 'statements'],
    Webhook: ['webhook', 'webhooks'],
    Notification: ['notification', 'notifications'],
    NotificationAttempt: ['notificationAttempt'],
    Certificate: ['certificate', 'certificates'],
    ApiKey: ['apiKey', 'apiKeys'],
    Merchant: ['merchant', 'merchants'],
    MerchantUser: ['user', 'users'],
    Event: ['event', 'events'],
    AuditEntry: ['auditEntry', 'auditEntries'],
    Export: ['export', 'exports'],
    TestClock: ['testClock'],
  };

  const mutations = list(`
  createCharge cancelCharge completeSandboxCharge createChargeHash createCheckoutLink updateCheckoutLink
  closeCheckoutLink createSession cancelSession createRefund cancelRefund completeRefund reopenRefund submitRefundDetails createSubscriptionPlan
  updateSubscriptionPlan createSubscriptionLink enrol payInvoice changeSubscriptionMethod cancelSubscription
  createReceivingAccount updateReceivingAccount recordTransfers simulateTransfer assignTransfer splitTransfer
  returnTransfer previewStatement importStatement createExport createWebhook updateWebhook deleteWebhook
  sendTestNotification resendNotification replayNotifications createCertificate revokeCertificate createApiKey
  rotateApiKey revokeApiKey requestRestrictedAccess advanceTestClock requestPhoneVerification verifyPhone
  updateMerchantSettings signIn signOut inviteUser updateUser`);

  const liveFields: Record<string, string[]> = {
    chargeUpdated: ['id'],
    chargesUpdated: [],
    sessionUpdated: ['id'],
    refundUpdated: ['id'],
    subscriptionUpdated: ['id'],
    notificationUpdated: ['id'],
  };

  test('include every type, which is a Node', () => {
    const nodes = schema.getImplementations(schema.getType('Node') as never).objects.map(({ name }) => name);
    expect(Object.keys(pairs).filter((name) => !nodes.includes(name))).toEqual([]);
  });

  test.each(Object.entries(pairs))('%s is queried by %j', (type, [one, many]) => {
    const fields = schema.getQueryType()!.getFields();
    expect(String(fields[one]?.type)).toBe(type);
    if (!many) return;
    expect(String(fields[many]?.type)).toMatch(/Connection!?$/);
    expect(fields[many]?.args.map(({ name }) => name)).toEqual(expect.arrayContaining(['first', 'after']));
  });

  test('include helpers, node and nodes', () => {
    const names = list('me paymentMethods currencies forex translation node nodes events');
    expect(missingFrom(schema.getQueryType()?.getFields(), names)).toEqual([]);
  });

  test('include every mutation', () => {
    expect(missingFrom(schema.getMutationType()?.getFields(), mutations)).toEqual([]);
  });

  test('include every live field', () => {
    const fields = schema.getSubscriptionType()!.getFields();
    for (const [name, args] of Object.entries(liveFields)) {
      expect(fields[name]?.args.map((arg) => arg.name)).toEqual(args);
    }
  });
});

describe('Released schema', () => {
  describe('a change since a release', () => {
    const charges = 'type Query { charge(id: ID!): Charge } type Charge { id: ID! email: String }';
    const codes = ' enum ErrorCode { internal_error unavailable }';
    const released = charges + codes;
    const log = (top: string) =>
      `# Changelog\n\n## Unreleased\n\n${top}\n\n## 0.1.0 (2026-12-01)\n\nCharge.email was removed.\n`;
    const check = (now: string, top = '') => {
      const changed = buildSchema(now.includes('enum') ? now : now + codes);
      return findUnannounced(listBreakingChanges(released, changed), log(top));
    };

    test('that adds is not breaking', () => {
      expect(
        check(
          'type Query { charge(id: ID!): Charge me: Charge } type Charge { id: ID! email: String name: String }',
        ),
      ).toEqual([]);
    });

    test.each([
      ['a removed field', 'type Query { charge(id: ID!): Charge } type Charge { id: ID! }', 'Charge.email'],
      [
        'a field of another type',
        'type Query { charge(id: ID!): Charge } type Charge { id: ID! email: Int }',
        'Charge.email',
      ],
      [
        'a required argument',
        'type Query { charge(id: ID!, mode: String!): Charge } type Charge { id: ID! email: String }',
        'mode',
      ],
      ['a removed error code', `${charges} enum ErrorCode { internal_error }`, 'unavailable'],
    ])('is breaking with %s, unless the top section states it', (_what, now, name) => {
      const [change = '', ...others] = check(now);
      expect([change, others]).toEqual([expect.stringContaining(name), []]);
      expect(check(now, `- Breaking: ${change}`)).toEqual([]);
    });

    test('is compared with the newest release', () => {
      expect([findNewestRelease(log('')), findNewestRelease('# Changelog\n\n## Unreleased\n')]).toEqual([
        '0.1.0',
        undefined,
      ]);
    });
  });
});
