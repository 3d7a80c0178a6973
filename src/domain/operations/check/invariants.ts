import { chargeInvariants } from './charge-invariants.ts';
import { eventInvariants } from './event-invariants.ts';
import { feedInvariants } from './feed-invariants.ts';
import type { Invariant } from './invariant.ts';
import { moneyInvariants } from './money-invariants.ts';
import { notificationInvariants } from './notification-invariants.ts';
import { ownerInvariants } from './owner-invariants.ts';
import { payoutInvariants } from './payout-invariants.ts';
import { statementInvariants } from './statement-invariants.ts';
import { subscriptionInvariants } from './subscription-invariants.ts';

export const invariants: readonly Invariant[] = [
  ...moneyInvariants,
  ...chargeInvariants,
  ...payoutInvariants,
  ...statementInvariants,
  ...feedInvariants,
  ...subscriptionInvariants,
  ...eventInvariants,
  ...notificationInvariants,
  ...ownerInvariants,
];
