import type { FastifyBaseLogger } from 'fastify';
import type { Mode } from '../prisma/client/client.ts';
import type { Context } from '../src/context.ts';
import type { Caller as MerchantCaller } from '../src/domain/api-key/permissions.ts';
import { DomainError } from '../src/kit/errors.ts';
import type { Caller } from './caller.ts';

/** What every resolver is given. */
export type GraphqlContext = Context & {
  caller: Caller;
  /** Who asks, looked up anew: a subscription may outlive its credentials. Error: `unauthenticated`. */
  authenticate: () => Promise<Caller>;
  requestId: string;
  log: FastifyBaseLogger;
};

/** Whose objects, in which mode: every query starts from these. */
export function owned({ caller }: Pick<GraphqlContext, 'caller'>): { merchantId: string; mode: Mode } {
  return { merchantId: caller.merchant.id, mode: caller.mode };
}

/** The caller that acts for the merchant. Error: `permission_denied` for a page. */
export function merchantCaller({ caller }: Pick<GraphqlContext, 'caller'>): MerchantCaller {
  if (caller.kind === 'page') throw pageDenied();
  return caller;
}

export function pageDenied(): DomainError {
  return new DomainError('permission_denied', 'A client token does not open this');
}
