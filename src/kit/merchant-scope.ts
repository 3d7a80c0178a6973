import type { Mode } from '../../prisma/client/client.ts';

/** A merchant and mode. Every query filters by both. */
export type MerchantScope = { merchantId: string; mode: Mode };

export type ScopedId = MerchantScope & { id: string };
