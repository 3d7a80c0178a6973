import type { Mode } from '../../prisma/client/client.ts';

/** Whose objects, in which mode: every query starts from these. */
export type MerchantScope = { merchantId: string; mode: Mode };

/** One of them. */
export type ScopedId = MerchantScope & { id: string };
