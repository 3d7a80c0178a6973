/** Where time comes from. Operations take `now`; only the edges and jobs ask a clock. */
export type Clock = { now(): MachineTime };

/** The time of this machine: for limits, tokens, keys, messages, attempts, sign-in and the audit trail. */
export type MachineTime = Date & { readonly clock?: 'machine' };

/**
 * The time of a merchant's business: in the sandbox that of its test clock. `clock` exists for the compiler only: it makes
 * passing the time of one clock for that of the other an error.
 */
export type MerchantTime = Date & { readonly clock?: 'merchant' };

export const systemClock: Clock = { now: () => new Date() };
