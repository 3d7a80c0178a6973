/** A source of time. Operations take `now` as a parameter; only entry points and jobs read a clock. */
export type Clock = { now(): MachineTime };

/** The machine's time, used for limits, tokens, keys, messages, attempts, sign-in and the audit trail. */
export type MachineTime = Date & { readonly clock?: 'machine' };

/**
 * A merchant's business time; in the sandbox, the time of its test clock. The `clock` member exists only for
 * the compiler, which rejects a machine time where a merchant time is required.
 */
export type MerchantTime = Date & { readonly clock?: 'merchant' };

export const systemClock: Clock = { now: () => new Date() };
