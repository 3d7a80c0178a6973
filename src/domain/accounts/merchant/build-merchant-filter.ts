import type { Prisma, RestrictedAccess } from '../../../../prisma/client/client.ts';
import { foldEmail } from '../../../kit/contact.ts';
import { escapeLike } from '../../../kit/escape-like.ts';
import { checkTrimmed } from '../../../kit/text.ts';

const searchLengthMax = 254;

export type MerchantFilter = {
  restrictedAccess?: RestrictedAccess | null | undefined;
  /** Part of the name, or an exact ID or user email. */
  search?: string | null | undefined;
};

/** Returns the condition for an operator's merchant search. Throws `invalid_request`. */
export function buildMerchantFilter(filter: MerchantFilter | null | undefined): Prisma.MerchantWhereInput {
  const { restrictedAccess, search } = filter ?? {};
  const text = checkTrimmed(search, '/filter/search', searchLengthMax);
  const user = { email: foldEmail(text), removedAt: null };
  return {
    ...(restrictedAccess && { restrictedAccess }),
    ...(text !== '' && {
      OR: [
        { name: { contains: escapeLike(text), mode: 'insensitive' } },
        { id: text },
        { users: { some: user } },
      ],
    }),
  };
}
