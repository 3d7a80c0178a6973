import { randomBytes, randomInt } from 'node:crypto';
import type { Charge, Merchant, Mode, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { parseMoney } from '../../../kit/money.ts';
import { type Audited, getSystemTime, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { RecordContext, TransferInput } from './record/draft-transfer.ts';
import { recordCredits, type TransferResult } from './record/record-credits.ts';
import { recordReversal } from './reversals/record-reversal.ts';

/** The kinds of simulated payments, with a text for the merchant. */
export const simulations = {
  exact: 'The exact amount is paid with the payment reference',
  underpaid: 'Less than the full amount is paid',
  overpaid: 'More than the full amount is paid',
  late: 'The amount is paid one minute after the charge expired',
  duplicate_payment: 'The amount is paid twice',
  missing_reference: 'The amount is paid without a payment reference',
  mistyped_reference: 'One character of the payment reference is wrong',
  wrong_currency: 'The payment is in a currency other than that of the account',
  reversed: 'The amount is paid, and then the bank reverses the payment',
} as const;

export type Simulation = keyof typeof simulations;

/**
 * Simulates a bank transfer to the receiving account of a sandbox charge, and returns the IDs of the new
 * transfers. Throws `sandbox_only`, `charge_not_found` or `invalid_request`.
 */
export async function simulateTransfer(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    mode: Mode;
    input: { chargeId: string; kind: Simulation; amount?: number | string | null | undefined };
    actor: string;
    now: MerchantTime;
    systemNow?: SystemTime;
  },
): Promise<string[]> {
  const { merchant, mode, input, actor, now, systemNow = getSystemTime(options), audit } = options;
  if (mode !== 'sandbox')
    throw new DomainError('sandbox_only', 'Transfers can be simulated only in the sandbox');
  const charge = await service.prisma.charge.findFirst({
    where: { id: input.chargeId, merchantId: merchant.id, mode },
    include: { receivingAccount: true },
  });
  if (!charge) throw new DomainError('charge_not_found', `Charge not found: ${input.chargeId}`);
  const context: RecordContext = { merchant, account: charge.receivingAccount, actor, now, systemNow };
  const transferInput = createPayment(charge, charge.receivingAccount, input, now);
  const inputs =
    input.kind === 'duplicate_payment'
      ? [transferInput, { ...transferInput, bankReference: createReference() }]
      : [transferInput];
  return transact(service, async (uow) => {
    const results: TransferResult[] = [...(await recordCredits(uow, context, inputs)).values()];
    if (input.kind === 'reversed') {
      const reversal = {
        ...transferInput,
        bankReference: createReference(),
        reversedReference: transferInput.bankReference,
      };
      results.push(await recordReversal(uow, context, reversal));
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

function createPayment(
  charge: Charge,
  account: ReceivingAccount,
  { kind, amount }: { kind: Simulation; amount?: number | string | null | undefined },
  now: Date,
): TransferInput {
  const currency = kind === 'wrong_currency' ? pickOtherCurrency(account.currency) : account.currency;
  const minor =
    amount == null ? getSimulatedAmount(kind, charge) : parseMoney(amount, currency, '/amount').minor;
  const lateAt = new Date(charge.expiresAt.getTime() + minuteMs);
  const bankReference = createReference();
  return {
    source: 'simulation',
    bankReference,
    content: bankReference,
    money: { minor, currency },
    reference: getSimulatedReference(kind, charge.paymentReference),
    payerName: [charge.firstName, charge.lastName].filter(Boolean).join(' ') || undefined,
    paidAt: kind === 'late' ? lateAt : now,
    isPaidAtDateOnly: false,
  };
}

/**
 * Returns the outstanding amount or, if nothing is outstanding, the full amount. An underpaid or overpaid amount
 * differs by a tenth or one minor unit, but one minor unit cannot be underpaid.
 */
function getSimulatedAmount(kind: Simulation, charge: Charge): bigint {
  const outstanding = charge.customerAmount - charge.amountReceived;
  const expected = outstanding > 0n ? outstanding : charge.customerAmount;
  const difference = expected / 10n || 1n;
  if (kind === 'underpaid') return expected > 1n ? expected - difference : expected;
  return kind === 'overpaid' ? expected + difference : expected;
}

function getSimulatedReference(kind: Simulation, paymentReference: string): string {
  if (kind === 'missing_reference') return 'Payment';
  if (kind !== 'mistyped_reference') return paymentReference;
  const position = randomInt(4, 9);
  return `${paymentReference.slice(0, position)}${paymentReference.charAt(position) === '2' ? '3' : '2'}${paymentReference.slice(position + 1)}`;
}

function pickOtherCurrency(currency: string): string {
  return currency === 'USD' ? 'EUR' : 'USD';
}

function createReference(): string {
  return `simulated-${randomBytes(10).toString('hex')}`;
}
