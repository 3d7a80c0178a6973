import type { Merchant, ReceivingAccount, Transfer, TransferStatus } from '../../../prisma/client/client.ts';
import { type Db, type Tx, transact } from '../../kit/db.ts';
import { allocateTransfer, isEnough } from './allocate-transfer.ts';
import { findChargeForTransfer } from './find-charge-for-transfer.ts';
import { findTwin } from './find-twin.ts';
import { fingerprint, insertTransfer, type TransferInput } from './insert-transfer.ts';
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
    if (known?.fingerprint === fingerprint(recording.input)) return repeatOf(tx, known);
    return known ? recordReusedId(tx, recording) : recordNew(tx, recording);
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

async function repeatOf(tx: Tx, transfer: Transfer): Promise<TransferResult> {
  const allocation = await tx.allocation.findFirst({
    where: { transferId: transfer.id, chargeId: { not: null } },
    orderBy: { id: 'desc' },
  });
  return {
    status: 'duplicate',
    transferId: transfer.id,
    ...(allocation?.chargeId && { chargeId: allocation.chargeId }),
  };
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
  const twin = await findTwin(tx, transfer);
  if (twin) return twin;
  const found = await findChargeForTransfer(tx, transfer, account);
  if ('reason' in found) return { status: 'exception', reason: found.reason };
  const { charge } = found;
  const tolerance = merchant.underpaymentTolerance;
  const received = charge.amountReceived + transfer.amount;
  // An expired charge takes no part payments: it completes whole or not at all.
  if (charge.status === 'expired' && !isEnough(charge, received, tolerance)) {
    return { status: 'exception', reason: 'charge_expired' };
  }
  const status = await allocateTransfer(tx, { transfer, charge, tolerance, actor, now });
  return { status, chargeId: charge.id };
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
