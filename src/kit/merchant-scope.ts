import type { Mode } from '../../prisma/client/client.ts';

/** A merchant and mode. Queries for IDs that an API caller provides filter by both. */
export type MerchantScope = { merchantId: string; mode: Mode };

export type ScopedId = MerchantScope & { id: string };
