import type { Mutant } from './mutant.ts';

export const sessions: Mutant[] = [
  {
    promise: 'An amount that the customer chooses stays within the limits of its link',
    file: 'src/domain/payments/checkout-link/link-amount.ts',
    find: 'if (limit !== undefined)',
    replace: "if (limit !== undefined && currency === '')",
    tests: ['test/pages/chosen-amount.test.ts'],
  },
  {
    promise: 'A user sees only their own sales at the counter',
    file: 'src/domain/payments/counter/counter-sale.ts',
    find: 'where = { ...seller, createdAt:',
    replace: 'where = { merchantId: seller.merchantId, mode: seller.mode, createdAt:',
    tests: ['test/schema/counter.test.ts'],
  },
  {
    promise: 'A session that is not opened expires after 7 days',
    file: 'src/domain/payments/session/session-state.ts',
    find: 'created: 7 * dayMs',
    replace: 'created: 8 * dayMs',
    tests: ['test/rest/sessions.test.ts'],
  },
  {
    promise: 'An opened session expires after an hour',
    file: 'src/domain/payments/session/session-state.ts',
    find: 'initiated: hourMs',
    replace: 'initiated: 2 * hourMs',
    tests: ['test/rest/sessions.test.ts'],
  },
  {
    promise: 'A session can be paid only in the browser that claimed it',
    file: 'src/domain/payments/session/charge-session.ts',
    find: 'if (!isSessionClaimedBy(lockedSession, options.browserToken))',
    replace: "if (!isSessionClaimedBy(lockedSession, options.browserToken) && options.browserToken === '')",
    tests: ['test/rest/sessions.test.ts'],
  },
  {
    promise: 'Another browser takes over a session only on request',
    file: 'src/domain/payments/session/claim-session.ts',
    find: 'if (!options.canTakeOver)',
    replace: "if (options.browserToken === '')",
    tests: ['test/rest/sessions.test.ts'],
  },
  {
    promise: 'A charge of a session notifies the URL of the session',
    file: 'src/domain/payments/session/charge-session.ts',
    find: 'notifyUrl: session.notifyUrl',
    replace: 'notifyUrl: null',
    tests: ['test/rest/sessions.test.ts'],
  },
  {
    promise: 'The tokens of a page become invalid with a new link version',
    file: 'src/domain/payments/customer-page/page-tokens.ts',
    find: '${object.id} ${getLinkVersion(object)}',
    replace: '${object.id} ${getLinkVersion(object) * 0}',
    tests: ['test/pages/pay.test.ts'],
  },
];
