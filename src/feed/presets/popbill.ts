import { toLocalTime } from '../../kit/local-time.ts';
import type { FeedDefinition } from '../feed-definition.ts';

const timeZone = 'Asia/Seoul';

/** Popbill collects the deposits of a bank account only on request, at most every ten minutes. */
export const popbill = {
  name: 'Popbill',
  evidence: 'documented',
  source: 'https://developers.popbill.com/reference/easyfinbank',
  authentications: { poll: [] },
  pull: {
    kind: 'transactions',
    intervalMinutes: 15,
    intervalMinutesMin: 10,
    requiredSettings: ['providerAccountId'],
    requiredCredentials: ['clientId', 'clientSecret'],
  },
  mappings: [
    {
      items: '/transaction',
      id: ['/tid'],
      accounts: [['1/account']],
      amount: '/accIn',
      currency: { value: 'KRW' },
      direction: 'credit',
      references: ['/remark1', '/remark2', '/remark3', '/remark4'],
      paidAt: { pointers: ['/trdt'], format: 'compact', timeZone },
    },
  ],
  accept: () => ({ status: 404, body: { error: 'not_found' } }),
  createSample: ({ id, account, amount, reference, payerName, paidAt }) => {
    const time = toLocalTime(paidAt, timeZone).replace(/\D/g, '').slice(0, 14);
    return {
      body: JSON.stringify({
        account,
        transaction: {
          tid: `SIM${id}`,
          trdate: time.slice(0, 8),
          trserial: 1,
          trdt: time,
          accIn: amount,
          accOut: '0',
          balance: amount,
          remark1: payerName,
          remark2: reference,
        },
      }),
    };
  },
} satisfies FeedDefinition;
