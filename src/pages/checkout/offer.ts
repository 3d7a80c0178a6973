import type { Merchant, Mode } from '../../../prisma/client/client.ts';
import type { MethodQuote } from '../../domain/checkout/quote-methods.ts';
import type { CustomerDetails } from '../../domain/customer/customer-input.ts';
import type { Order } from '../../domain/order.ts';
import type { Money } from '../../kit/money.ts';

/** What a session, a link or the bare address lets the customer choose from. */
export type Offer = {
  merchant: Merchant;
  mode: Mode;
  money: Money;
  orders: Order[];
  prefill: CustomerDetails | null;
  quotes: MethodQuote[];
  canCancel: boolean;
};

/** What was sent and refused: shown again with what is wrong. */
export type ChooseInput = {
  method: string;
  email: string;
  faults: { method?: string; email?: string; form?: string };
};
