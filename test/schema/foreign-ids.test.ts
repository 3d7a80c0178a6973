import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import type { IdNoun } from '../../src/kit/id.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, maskIds, setupGraphqlApp } from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';
import { signInAs } from '../setup/sign-in.ts';

const onCleanup = cleanupAfterFile();

/**
 * Every mutation that is given an id, given another merchant's, or one of the other mode: the answer is the same as to an
 * id that does not exist.
 */

type Ask = (query: string) => Promise<{ data: Json; errors: Json }>;

let app: GraphqlApp;
let ids: Partial<Record<IdNoun, string>>;
let askers: [string, Ask][];

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  ids = await seedEveryType(app);
  const foreigner = await signInAs('owner', app, app.otherMerchant);
  askers = [
    ['a key of another merchant', (query) => app.ask(query, { as: app.otherMerchant.keys.live })],
    ['an owner of another merchant', (query) => foreigner.ask(query)],
    ['a key of the other mode', (query) => app.ask(query, { as: app.merchant.keys.sandbox })],
  ];
  await holdObjects();
});

/** What is locked to be changed, under its owner. */
const locked = [
  'api_key',
  'certificate',
  'charge',
  'merchant_user',
  'notification',
  'receiving_account',
  'refund',
  'subscription',
  'transfer',
  'user_invitation',
  'webhook',
];

/** Somebody is at work on the objects: who is told that there is nothing does not wait for that. */
async function holdObjects(): Promise<void> {
  const client = await app.context.service.pool.connect();
  onCleanup(async () => {
    await client.query('ROLLBACK');
    client.release();
  });
  await client.query('BEGIN');
  for (const table of locked)
    await client.query(`SELECT 1 FROM ${table} WHERE id = ANY($1) FOR NO KEY UPDATE`, [Object.values(ids)]);
}

/** Users, invitations and the audit trail are of both modes, as whose merchant they are. */
const ofBothModes: IdNoun[] = ['user', 'merchant', 'userInvitation'];
/** Operators alone call them, whichever merchant they name. */
const operators = [
  'setMerchantEnabled',
  'grantRestrictedAccess',
  'declineRestrictedAccess',
  'setOperationsEnabled',
];

/** To end a session that is not there is a success: it has ended. */
const harmless = ['endUserSession'];

const mutations = Object.values(schema.getMutationType()!.getFields()).filter(
  (field) => idFieldsOf(field).length > 0 && ![...operators, ...harmless].includes(field.name),
);

function inputOf(field: GraphQLField<unknown, unknown>) {
  const type = field.args[0] && getNamedType(field.args[0].type);
  return isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

function idFieldsOf(field: GraphQLField<unknown, unknown>) {
  return inputOf(field).filter(
    ({ type }) => String(getNamedType(type)) === 'ID' && !String(type).startsWith('['),
  );
}

/** Of which noun an id is to be: by the name of its field, else by that of the mutation. */
function nounsOf(mutation: string, name: string): IdNoun[] {
  const known = Object.keys(ids) as IdNoun[];
  const text = name === 'id' ? mutation : name;
  const named = known.filter((noun) => text.toLowerCase().includes(noun.toLowerCase()));
  return named.length > 0 ? named : known;
}

test('there are many', () => {
  expect(mutations.length).toBeGreaterThan(30);
});

test.each(mutations.map((field) => [field.name, field] as const))(
  '%s finds nothing of others',
  async (name, field) => {
    const parts = inputOf(field).flatMap(({ name: member, type }) => {
      if (!isNonNullType(type)) return [];
      // Of the kinds of exports, the one that is for an account.
      if (name === 'createExport' && member === 'kind') return ['kind: payouts'];
      return String(getNamedType(type)) === 'ID'
        ? []
        : [`${member}: ${sampleInput(type as GraphQLInputType)}`];
    });
    for (const { name: member } of idFieldsOf(field)) {
      for (const noun of nounsOf(name, member)) {
        const others = idFieldsOf(field)
          .filter((other) => other.name !== member && isNonNullType(other.type))
          .map((other) => `${other.name}: "${ids[nounsOf(name, other.name)[0]!]}"`);
        const given = [...parts, ...others].map((part) => `${part}, `).join('');
        const id = ids[noun]!;
        for (const [who, ask] of askers) {
          if (who === 'a key of the other mode' && ofBothModes.includes(noun)) continue;
          const what = `${who} gives a ${noun} as ${member}`;
          const answerTo = async (one: string) => {
            const { data, errors } = await ask(
              `mutation { ${name}(input: { ${given}${member}: "${one}" }) { __typename ... on UserError { code message } } }`,
            );
            expect(errors, what).toBeUndefined();
            return maskIds(data[name]);
          };
          const answer = await answerTo(id);
          expect(answer.__typename, what).toMatch(/Error$/);
          expect(answer, what).toEqual(await answerTo(`${id.slice(0, -4)}zzzz`));
        }
      }
    }
  },
);
