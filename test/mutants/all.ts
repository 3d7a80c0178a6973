import { accounts } from './accounts.ts';
import { charges } from './charges.ts';
import { errorsAndHeaders } from './errors-and-headers.ts';
import { feeds } from './feeds.ts';
import { idempotency } from './idempotency.ts';
import { lists } from './lists.ts';
import { moneyIn } from './money-in.ts';
import type { Mutant } from './mutant.ts';
import { notifications } from './notifications.ts';
import { operation } from './operation.ts';
import { refunds } from './refunds.ts';
import { sessions } from './sessions.ts';
import { subscriptions } from './subscriptions.ts';
import { values } from './values.ts';

/** All mutants, by section of docs/internals/conformance.md. */
export const mutants: readonly Mutant[] = [
  ...lists,
  ...values,
  ...charges,
  ...idempotency,
  ...errorsAndHeaders,
  ...accounts,
  ...moneyIn,
  ...feeds,
  ...refunds,
  ...sessions,
  ...subscriptions,
  ...notifications,
  ...operation,
];
