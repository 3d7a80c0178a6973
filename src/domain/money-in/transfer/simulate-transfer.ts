import { randomBytes, randomInt } from 'node:crypto';
import type { Charge, Merchant, Mode, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { parseMoney } from '../../../kit/money.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { Recording, TransferInput } from './draft-transfer.ts';
import { recordBatchTogether } from './record-batch.ts';
import { recordReversalTogether } from './record-reversal.ts';

/** What can happen to a payment, in words for the merchant. */
export const simulations = {
  exact: 'The exact amount is paid with the payment reference',
  short: 'Less than the full amount is paid',
  over: 'More than the full amount is paid',
  late: 'The amount is paid one minute after the charge expired',
  twice: 'The amount is paid twice',
  unlabelled: 'The amount is paid without a payment reference',
  mistyped: 'One character of the payment reference is wrong',
  wrong_currency: 'The payment is in a currency other than that of the account',
  reversed: 'The amount is paid, and then the bank reverses the payment',
} as const;

export type Simulation = keyof typeof simulations;

/**
 * Lets money come to the receiving account of a sandbox charge, as a bank would tell of it, and answers the ids of the
 * transfers that makes. Errors: `sandbox_only`, `charge_not_found`, `invalid_request`.
 */
export async function simulateTransfer(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    mode: Mode;
    input: { chargeId: string; kind: Simulation; amount?: number | string | null | undefined };
    actor: string;
    now: Date;
  },
): Promise<string[]> {
  const { merchant, mode, input, actor, now, audit } = options;
  if (mode !== 'sandbox') throw new DomainError('sandbox_only', 'Only sandbox transfers can be simulated');
  const charge = await service.prisma.charge.findFirst({
    where: { id: input.chargeId, merchantId: merchant.id, mode },
    include: { receivingAccount: true },
  });
  if (!charge) throw new DomainError('charge_not_found', `Charge not found: ${input.chargeId}`);
  const recording: Recording = { merchant, account: charge.receivingAccount, actor, now };
  const paid = payment(charge, charge.receivingAccount, input, now);
  const inputs = input.kind === 'twice' ? [paid, { ...paid, bankReference: newReference() }] : [paid];
  return transact(service, async (uow) => {
    const results = await recordBatchTogether(uow, recording, inputs);
    if (input.kind === 'reversed') {
      const reversal = { ...paid, bankReference: newReference(), reverses: paid.bankReference };
      results.push(await recordReversalTogether(uow, recording, reversal));
    }
    const entry = {
      merchantId: merchant.id,
      mode,
      action: 'transfer.simulated',
      objectId: charge.id,
    } as const;
    if (audit) await recordAudit(uow, { ...audit, ...entry });
    return results.map(({ transferId }) => transferId);
  });
}

function payment(
  charge: Charge,
  account: ReceivingAccount,
  { kind, amount }: { kind: Simulation; amount?: number | string | null | undefined },
  now: Date,
): TransferInput {
  const currency = kind === 'wrong_currency' ? otherThan(account.currency) : account.currency;
  const minor = amount == null ? amountOf(kind, charge) : parseMoney(amount, currency, '/amount').minor;
  const late = new Date(charge.expiresAt.getTime() + minuteMs);
  const bankReference = newReference();
  return {
    source: 'simulation',
    bankReference,
    content: bankReference,
    money: { minor, currency },
    reference: referenceOf(kind, charge.nonce),
    payerName: [charge.firstName, charge.lastName].filter(Boolean).join(' ') || undefined,
    paidAt: kind === 'late' ? late : now,
    paidAtIsDate: false,
  };
}

/** What is still asked, or so much less or more: at least one unit. */
function amountOf(kind: Simulation, charge: Charge): bigint {
  const lacking = charge.customerAmount - charge.amountReceived;
  const asked = lacking > 0n ? lacking : charge.customerAmount;
  const part = asked / 10n || 1n;
  if (kind === 'short') return asked > 1n ? asked - part : asked;
  return kind === 'over' ? asked + part : asked;
}

function referenceOf(kind: Simulation, nonce: string): string {
  if (kind === 'unlabelled') return 'Payment';
  if (kind !== 'mistyped') return nonce;
  const at = randomInt(5, 9);
  return `${nonce.slice(0, at)}${nonce.charAt(at) === '2' ? '3' : '2'}${nonce.slice(at + 1)}`;
}

function otherThan(currency: string): string {
  return currency === 'USD' ? 'EUR' : 'USD';
}

function newReference(): string {
  return `simulated-${randomBytes(10).toString('hex')}`;
}
