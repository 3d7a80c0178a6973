import { type AuBankTransferDetails, auBankTransfer } from './au-bank-transfer.ts';
import type { BankAccountDetails } from './bank-account.ts';
import type { MethodCode } from './catalog.ts';
import { type DuitNowDetails, duitNow } from './duit-now.ts';
import { type FpsDetails, fps } from './fps.ts';
import { type GojekIdDetails, gojekId } from './gojek-id.ts';
import { hkBankTransfer } from './hk-bank-transfer.ts';
import { idBankTransfer } from './id-bank-transfer.ts';
import { type InBankTransferDetails, inBankTransfer } from './in-bank-transfer.ts';
import { type InstaPayDetails, instapay } from './instapay.ts';
import { type NzBankTransferDetails, nzBankTransfer } from './nz-bank-transfer.ts';
import { type PayNowDetails, paynow } from './paynow.ts';
import { type PromptPayDetails, promptPay } from './prompt-pay.ts';
import type { Scheme } from './scheme.ts';
import { toss } from './toss.ts';
import { type ViettelPayDetails, viettelPay } from './viettel-pay.ts';

/** The stored details of a receiving account, by method. */
export type DetailsByMethod = {
  fps: FpsDetails;
  'hk-bank-transfer': BankAccountDetails;
  paynow: PayNowDetails;
  'viettel-pay': ViettelPayDetails;
  'duit-now': DuitNowDetails;
  instapay: InstaPayDetails;
  'prompt-pay': PromptPayDetails;
  'in-bank-transfer': InBankTransferDetails;
  'gojek-id': GojekIdDetails;
  'id-bank-transfer': BankAccountDetails;
  'au-bank-transfer': AuBankTransferDetails;
  'nz-bank-transfer': NzBankTransferDetails;
  toss: BankAccountDetails;
};

export type ReceivingDetails = DetailsByMethod[MethodCode];

export const schemes: { readonly [M in MethodCode]: Scheme<DetailsByMethod[M]> } = {
  fps,
  'hk-bank-transfer': hkBankTransfer,
  paynow,
  'viettel-pay': viettelPay,
  'duit-now': duitNow,
  instapay,
  'prompt-pay': promptPay,
  'in-bank-transfer': inBankTransfer,
  'gojek-id': gojekId,
  'id-bank-transfer': idBankTransfer,
  'au-bank-transfer': auBankTransfer,
  'nz-bank-transfer': nzBankTransfer,
  toss,
};

/**
 * Returns the scheme of a method. If the method is known only at run time, the compiler accepts the details of any
 * method, so pass only details from `parseDetails` of the same scheme.
 */
export function getScheme<M extends MethodCode>(method: M): Scheme<DetailsByMethod[M]> {
  return schemes[method];
}
