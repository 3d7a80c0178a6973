import { builder } from '../kit/builder.ts';

export const SessionStatus = builder.enumType('SessionStatus', {
  description: 'Whether a session can still be used, or how it ended.',
  values: {
    created: {
      description: 'No browser has claimed the session. A session in this status expires after 7 days.',
    },
    initiated: {
      description: 'A browser has claimed the session. A session in this status expires after 1 hour.',
    },
    charged: { description: 'The customer has chosen a payment method, and the session has a charge.' },
    cancelled: { description: 'The session was cancelled by the customer or by you.' },
    expired: { description: 'The customer did not choose a payment method in time.' },
  },
});
