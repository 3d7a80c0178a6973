import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';
import { type Proof, type Self, withProof } from './prove.ts';
import { turnOffSecondFactor } from './turn-off-second-factor.ts';

/** A user turns their second factor off; takes the password and a code. Errors: as `withProof`. */
export function disableSecondFactor(
  service: Service,
  options: Self & { proof: Required<Proof> },
): Promise<MerchantUser> {
  return withProof(service, options, async (uow, user) =>
    user.totpEncrypted === null
      ? user
      : turnOffSecondFactor(uow, { ...options, user, actor: `user:${user.id}` }),
  );
}
