import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { findParts } from './batch-parts.ts';
import { isEnough } from './count-for-charges.ts';
import type { Recording } from './draft-transfer.ts';
import { type Finding, findPaidCharges } from './find-paid-charges.ts';
import { findTwins } from './find-twins.ts';
import { lockOrphanedParts, reuniteParts } from './reunite-parts.ts';
import type { ExceptionReason } from './transfer-state.ts';

/** What new money is for: a locked charge, money that another source told of, or nothing yet and why. */
export type Decision = { charge?: Charge; sameAsId?: string; reason?: ExceptionReason };

/**
 * Works out what each new transfer counts for, before its row is written. `exception`: why it must not be matched by
 * itself. The transfers are of one source and share no nonce.
 */
export async function decideTransfers(
  tx: Tx,
  recording: Recording,
  drafts: readonly { transfer: Transfer; exception: ExceptionReason | undefined }[],
): Promise<Decision[]> {
  const { account } = recording;
  const decisions = new Map<Transfer, Decision>();
  const undecided = () => drafts.map(({ transfer }) => transfer).filter((one) => !decisions.has(one));
  const parts = await findParts(
    tx,
    drafts.map(({ transfer }) => transfer),
    account,
  );
  for (const [i, { transfer, exception }] of drafts.entries()) {
    const sameAsId = parts[i];
    if (sameAsId) decisions.set(transfer, { sameAsId });
    else if (exception) decisions.set(transfer, { reason: exception });
  }
  const twins = await findTwins(tx, undecided(), account);
  for (const [i, transfer] of undecided().entries()) if (twins[i]) decisions.set(transfer, twins[i]);
  const findings = await findPaidCharges(tx, undecided(), account);
  for (const [i, transfer] of undecided().entries()) {
    decisions.set(transfer, await takeMoney(tx, recording, transfer, findings[i] as Finding));
  }
  return drafts.map(({ transfer }) => decisions.get(transfer) as Decision);
}

/**
 * An expired charge takes no part payments: it completes by this transfer, together with the parts it had let go of, or
 * not at all.
 */
async function takeMoney(
  tx: Tx,
  { merchant, actor, now }: Recording,
  transfer: Transfer,
  finding: Finding,
): Promise<Decision> {
  if ('reason' in finding) return finding;
  const { charge } = finding;
  const tolerance = merchant.underpaymentTolerance;
  if (charge.status === 'pending' || isEnough(charge, charge.amountReceived + transfer.amount, tolerance))
    return { charge };
  const parts = await lockOrphanedParts(tx, charge);
  const sum = parts.reduce((total, part) => total + part.amount, charge.amountReceived + transfer.amount);
  if (!isEnough(charge, sum, tolerance)) return { reason: 'charge_expired' };
  return { charge: await reuniteParts(tx, charge, { parts, actor, now }) };
}
