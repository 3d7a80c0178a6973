import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import { getMoveStep } from './merchant-move-state.ts';
import { requireMoveStep, transitionMerchantMove } from './transition-merchant-move.ts';

/**
 * Completes the move of a merchant and returns the code that activates it in the other installation. From then on,
 * the merchant never runs here again. A repeated call returns the same code. Throws if the merchant has moved
 * elsewhere.
 */
export async function completeMove(
  service: Db & { secrets: Secrets },
  options: AuditContext & { merchantId: string; movedTo: string },
): Promise<{ code: string; movedTo: string }> {
  const { merchantId } = options;
  const movedTo = parseOrigin(options.movedTo);
  return transact(service, async (uow) => {
    const merchant = await lockMerchant(uow.tx, merchantId, '/id');
    requireMoveStep(merchant, ['paused', 'moved']);
    const { moveCodeEncrypted } = merchant;
    if (moveCodeEncrypted === null)
      throw new Error('The merchant was not exported since it was paused: run `merchant export` first');
    const code = await service.secrets.decrypt(moveCodeEncrypted, 'merchant.move_code_encrypted', merchantId);
    if (getMoveStep(merchant) === 'moved') {
      if (merchant.movedTo !== movedTo)
        throw new Error(`The merchant has already moved to ${merchant.movedTo}`);
      return { code, movedTo };
    }
    await transitionMerchantMove(uow, merchant, 'moved', { movedTo });
    const detail = { movedTo };
    await recordAudit(uow, { ...options, action: 'merchant.moved', objectId: merchantId, detail });
    return { code, movedTo };
  });
}

function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && ['https:', 'http:'].includes(url.protocol) && url.pathname === '/' && url.search === '')
    return url.origin;
  throw new Error(`--to must be the address of the other installation, such as https://pay.example.com`);
}
