import type { Prisma, ReceivingAccount } from '../../prisma/client/client.ts';
import { recordAudit } from '../../src/domain/audit/record-audit.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import {
  insertReceivingAccount,
  type NewAccount,
} from '../../src/domain/receiving-account/insert-receiving-account.ts';
import type { Service } from '../../src/domain/service.ts';
import { transact } from '../../src/kit/db.ts';
import { schemeOf } from '../../src/method/schemes.ts';
import type { As, Json } from './graphql.ts';
import { noon } from './makers.ts';

const fields =
  'id method status account holder bank currency weight minAmount maxAmount windowMinutes timeZone uniqueAmountsMax carriesReference retiredAt details { name value }';
const failure = `... on Error { code message }
  ... on UnprocessableError { errors { path message } } ... on InvalidRequestError { errors { path message } }`;
const createText = `mutation ($input: CreateReceivingAccountInput!) { createReceivingAccount(input: $input) {
  __typename ... on CreateReceivingAccountSuccess { receivingAccount { ${fields} } } ${failure} } }`;
const updateText = `mutation ($input: UpdateReceivingAccountInput!) { updateReceivingAccount(input: $input) {
  __typename ... on UpdateReceivingAccountSuccess { receivingAccount { ${fields} } } ${failure} } }`;

/** Who asks: with keys by default, or a user at the dashboard. */
export type Asker = (
  query: string,
  options?: { variables?: object; as?: As },
) => Promise<{ data: Json; errors: Json }>;

/** What `createReceivingAccount` answers, or the errors of an operation that was refused whole. */
export const createAccount = async (ask: Asker, input: object, as?: As): Promise<Json> => {
  const { data, errors } = await ask(createText, {
    variables: { input: { holder: 'Harbour Teas Ltd', ...input } },
    ...(as && { as }),
  });
  return data?.createReceivingAccount ?? errors;
};
export const updateAccount = async (ask: Asker, input: object, as?: As): Promise<Json> => {
  const { data, errors } = await ask(updateText, { variables: { input }, ...(as && { as }) });
  return data?.updateReceivingAccount ?? errors;
};

/** An account for live money, by FPS unless said otherwise, its details by the rules of its scheme. */
export function makeReceivingAccount(
  service: Service,
  { merchant }: NewMerchant,
  given: Partial<Omit<NewAccount, 'details'>> & { details?: unknown } = {},
  now = noon,
): Promise<ReceivingAccount> {
  const { method = 'fps', holder = 'Harbour Teas', details = { fpsId: '1234567' }, ...terms } = given;
  const input = { ...terms, method, holder, details: schemeOf(method).parseDetails(details) };
  return transact(service, (tx) =>
    insertReceivingAccount(tx, { merchantId: merchant.id, mode: 'live', input, now }),
  );
}

/** Retires accounts as their owner does, without the second factor and the mails. */
export function retireAccounts(
  service: Service,
  where: Prisma.ReceivingAccountWhereInput,
  now: Date,
): Promise<ReceivingAccount[]> {
  return transact(service, async (tx) => {
    const data = { status: 'retired', retiredAt: now } as const;
    const accounts = await tx.receivingAccount.updateManyAndReturn({
      where: { ...where, status: 'active' },
      data,
    });
    for (const { id: objectId, merchantId, mode } of accounts) {
      const entry = { merchantId, mode, actor: 'user:test', action: 'receiving_account.updated' as const };
      await recordAudit(tx, { ...entry, objectId, now });
    }
    return accounts;
  });
}
