import type { Mode } from '../../prisma/client/client.ts';

/** Whose objects, in which mode: every query starts from these. */
export type Owner = { merchantId: string; mode: Mode };

/** One of them. */
export type Owned = Owner & { id: string };
