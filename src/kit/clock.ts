/** Where time comes from. Operations take `now: Date`; only the edges and jobs ask a clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
