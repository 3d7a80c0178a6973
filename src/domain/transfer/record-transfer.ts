import type {
  Charge,
  Merchant,
  ReceivingAccount,
  Transfer,
  TransferStatus,
} from '../../../prisma/client/client.ts';
import { type Db, type Tx, transact } from '../../kit/db.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { allocateTransfer, isEnough } from './allocate-transfer.ts';
import { findChargeForTransfer } from './find-charge-for-transfer.ts';
import { findTwin, noncesOf } from './find-twin.ts';
import { fingerprint, insertTransfer, type TransferInput } from './insert-transfer.ts';
import { findOrphanedParts, reuniteParts } from './reunite-parts.ts';
import type { ExceptionReason } from './transfer-state.ts';
import { recordTransferException } from './transition-transfer.ts';

export type TransferResult = {
  status: TransferStatus;
  transferId: string;
  chargeId?: string;
  reason?: ExceptionReason;
};

type Recording = {
  merchant: Merchant;
  account: ReceivingAccount;
  input: TransferInput;
  actor: string;
  now: Date;
};

/** What a new transfer counts for, worked out before its row is written. */
type Outcome = { status: TransferStatus; chargeId?: string; reason?: ExceptionReason; sameAsId?: string };

/**
 * Records money that came, in one transaction with all that follows from it: the charge it completes, the part payment
 * it makes, or the exception it is. It cannot be refused; the same transfer again answers `duplicate` and counts nothing.
 */
export async function recordTransfer(db: Db, recording: Recording): Promise<TransferResult> {
  return transact(db, async (tx) => {
    await lockAccount(tx, recording.account.id);
    const known = await findKnown(tx, recording);
    if (!known) return recordNew(tx, recording);
    return isRepeat(known, recording.input) ? repeatOf(tx, known) : recordReusedId(tx, recording);
  });
}

/** Recordings on one account run one after the other, so that two importers cannot count the same money twice. */
async function lockAccount(tx: Tx, receivingAccountId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM receiving_account WHERE id = ${receivingAccountId} FOR NO KEY UPDATE`;
}

function findKnown(tx: Tx, { account, input }: Recording): Promise<Transfer | null> {
  const { source, bankReference } = input;
  return tx.transfer.findFirst({ where: { receivingAccountId: account.id, source, bankReference } });
}

/** Banks restart their references: the same one with the nonce of another charge is another payment. */
function isRepeat(known: Transfer, input: TransferInput): boolean {
  if (known.fingerprint !== fingerprint(input)) return false;
  const [before, now] = [noncesOf(known), noncesOf(input)];
  return before.length === 0 || now.length === 0 || before.some((nonce) => now.includes(nonce));
}

async function repeatOf(tx: Tx, transfer: Transfer): Promise<TransferResult> {
  const charges = await tx.allocation.groupBy({
    by: ['chargeId'],
    where: { transferId: transfer.id, chargeId: { not: null } },
    _sum: { amount: true },
  });
  const chargeId = charges.find(({ _sum }) => (_sum.amount ?? 0n) > 0n)?.chargeId;
  return { status: 'duplicate', transferId: transfer.id, ...(chargeId && { chargeId }) };
}

/** The reference was used with other content: kept and shown under a reference of its own, but counts nothing. */
async function recordReusedId(tx: Tx, recording: Recording): Promise<TransferResult> {
  const bankReference = `${recording.input.bankReference}#${fingerprint(recording.input)}`;
  const again = { ...recording, input: { ...recording.input, bankReference } };
  const known = await findKnown(tx, again);
  if (known) return repeatOf(tx, known);
  return finish(tx, again, await insertTransfer(tx, again), { status: 'exception', reason: 'id_reused' });
}

async function recordNew(tx: Tx, recording: Recording): Promise<TransferResult> {
  const transfer = await insertTransfer(tx, recording);
  return finish(tx, recording, transfer, await decide(tx, recording, transfer));
}

async function decide(tx: Tx, recording: Recording, transfer: Transfer): Promise<Outcome> {
  const { account, merchant, actor, now } = recording;
  const { exception } = recording.input;
  if (exception) return { status: 'exception', reason: exception };
  const twin = await findTwin(tx, transfer, account);
  if (twin) return twin;
  const found = await findChargeForTransfer(tx, transfer, account);
  if ('reason' in found) return { status: 'exception', reason: found.reason };
  const tolerance = merchant.underpaymentTolerance;
  const charge = await takesMoney(tx, { charge: found.charge, transfer, tolerance, actor, now });
  if (!charge) return { status: 'exception', reason: 'charge_expired' };
  const status = await allocateTransfer(tx, { transfer, charge, tolerance, actor, now });
  return { status, chargeId: charge.id };
}

/**
 * The charge as it takes the transfer. An expired one takes no part payments: it completes by this transfer, together
 * with the parts it had let go of, or not at all (null).
 */
async function takesMoney(
  tx: Tx,
  options: { charge: Charge; transfer: Transfer; tolerance: Decimal; actor: string; now: Date },
): Promise<Charge | null> {
  const { charge, transfer, tolerance } = options;
  if (charge.status === 'pending' || isEnough(charge, charge.amountReceived + transfer.amount, tolerance))
    return charge;
  const parts = await findOrphanedParts(tx, charge);
  const sum = parts.reduce((total, part) => total + part.amount, transfer.amount);
  return isEnough(charge, sum, tolerance) ? reuniteParts(tx, charge, { ...options, parts }) : null;
}

async function finish(
  tx: Tx,
  recording: Recording,
  transfer: Transfer,
  outcome: Outcome,
): Promise<TransferResult> {
  const { status, reason, sameAsId, chargeId } = outcome;
  const settled = await tx.transfer.update({
    where: { id: transfer.id },
    data: { status, reason: reason ?? null, sameAsId: sameAsId ?? null },
  });
  if (status === 'exception') await recordTransferException(tx, settled, recording);
  return { status, transferId: transfer.id, ...(chargeId && { chargeId }), ...(reason && { reason }) };
}
