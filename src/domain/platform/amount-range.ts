/** A range of amounts in minor units, inclusive at both ends. */
export type AmountRange = { currency: string; min?: bigint | undefined; max?: bigint | undefined };

export function inRange({ min, max }: AmountRange): { gte?: number; lte?: number } {
  // Amounts are below 10^15 minor units, so numbers are exact. Unlike bigint, they serialize to JSON.
  return { ...(min !== undefined && { gte: Number(min) }), ...(max !== undefined && { lte: Number(max) }) };
}
