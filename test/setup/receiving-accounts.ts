import type { Prisma, ReceivingAccount } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import {
  insertReceivingAccount,
  type NewReceivingAccount,
} from '../../src/domain/accounts/receiving-account/insert-receiving-account.ts';
import { recordAudit } from '../../src/domain/platform/audit/record-audit.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { listDetailsForms } from '../../src/method/details-forms.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { type ApiAuth, type Json, mutate } from './graphql.ts';
import { noon } from './seed.ts';

const fields =
  'receivingAccount { id method status account accountName bank currency weight minAmount maxAmount paymentWindowMinutes timeZone maxAmountOffset maxBankFee maxBankFeeRate reusesBankReferences canCarryReference retiredAt details { name value } }';

/** Sends an operation, with API keys or as a user of the dashboard. */
export type RequestFunction = (
  query: string,
  options: { variables: object; as?: ApiAuth },
) => Promise<{ data: Json; errors: Json }>;

export const createAccountByApi = (ask: RequestFunction, input: object, as?: ApiAuth): Promise<Json> =>
  mutate({ ask }, 'createReceivingAccount', { accountName: 'Harbour Teas Ltd', ...input }, fields, as);
export const updateAccountByApi = (ask: RequestFunction, input: object, as?: ApiAuth): Promise<Json> =>
  mutate({ ask }, 'updateReceivingAccount', input, fields, as);

/** Creates a live account, by default for FPS, with parsed details. */
export function seedReceivingAccount(
  service: Service,
  { merchant }: NewMerchant,
  overrides: Partial<Omit<NewReceivingAccount, 'details'>> & { details?: unknown } = {},
  now = noon,
): Promise<ReceivingAccount> {
  const { method = 'fps', holder = 'Harbour Teas', details = { fpsId: '1234567' }, ...terms } = overrides;
  const input = { ...terms, method, holder, details: getScheme(method).parseDetails(details) };
  return transact(service, ({ tx }) =>
    insertReceivingAccount(tx, { merchantId: merchant.id, mode: 'live', input, now }),
  );
}

/** Retires accounts without two-factor authentication and emails. */
export function retireAccounts(
  service: Service,
  where: Prisma.ReceivingAccountWhereInput,
  now: Date,
): Promise<ReceivingAccount[]> {
  return transact(service, async (uow) => {
    const data = { status: 'retired', retiredAt: now } as const;
    const accounts = await uow.tx.receivingAccount.updateManyAndReturn({
      where: { ...where, status: 'active' },
      data,
    });
    for (const { id: objectId, merchantId, mode } of accounts) {
      const entry = { merchantId, mode, actor: 'user:test', action: 'receiving_account.updated' as const };
      await recordAudit(uow, { ...entry, objectId, now });
    }
    return accounts;
  });
}

/**
 * Returns the form of the method's accounts that takes a printed QR code, and an example of such a code. Throws if
 * there is none.
 */
export function findCodeForm(method: MethodCode): { form: string; code: string } {
  for (const { description, members } of listDetailsForms(method)) {
    const member = members.find(({ isCode }) => isCode);
    if (member) return { form: description, code: member.example };
  }
  throw new Error(`${method} has no form for a printed code`);
}
