/** A source of time. Operations take `now` as a parameter; entry points and long-running work read a clock. */
export type Clock = { now(): SystemTime };

/**
 * The system time, which is used for limits, tokens, API keys, messages, delivery attempts, sign-in and the audit
 * trail.
 */
export type SystemTime = Date & { readonly clock?: 'system' };

/**
 * The time of a merchant's charges and subscriptions: the system time or, in the sandbox, the time of the merchant's
 * test clock. The property `clock` exists only for the compiler, which rejects a `SystemTime` where a `MerchantTime` is
 * required.
 */
export type MerchantTime = Date & { readonly clock?: 'merchant' };

export const systemClock: Clock = { now: () => new Date() };
