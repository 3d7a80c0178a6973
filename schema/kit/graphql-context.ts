import type { FastifyBaseLogger } from 'fastify';
import type { GraphQLParams } from 'graphql-yoga';
import type { Context } from '../../src/context.ts';
import type { MerchantCaller, RequestContext } from '../../src/domain/accounts/api-key/permissions.ts';
import type { NewUserSession } from '../../src/domain/accounts/user/start-session.ts';
import type { SessionContext } from '../../src/domain/accounts/user/with-reauthentication.ts';
import type { AuditContext } from '../../src/domain/platform/audit/record-audit.ts';
import { merchantNow } from '../../src/domain/platform/clock/merchant-now.ts';
import type { Browser } from '../../src/http/browser.ts';
import type { Caller, KeyCaller, PageCaller, UserCaller } from '../../src/http/caller.ts';
import type { MerchantTime } from '../../src/kit/clock.ts';
import { DomainError } from '../../src/kit/errors.ts';
import type { MerchantScope } from '../../src/kit/merchant-scope.ts';

/** What every resolver is given. */
export type GraphqlContext = Context & {
  caller: Caller;
  /** Who asks, looked up anew: a subscription may outlive its credentials. Error: `unauthenticated`. */
  authenticate: () => Promise<Caller>;
  /** Set for requests of the dashboard's pages: they may sign in and out. */
  browser?: BrowserSession | undefined;
  /** The network address it is asked from, as TRUST_PROXY has it. */
  address: string;
  /** What is executed, as the route read it; only over HTTP. */
  params?: GraphQLParams;
  requestId: string;
  log: FastifyBaseLogger;
  /** The caller's Idempotency-Key; only over HTTP. */
  idempotencyKey?: string | undefined;
  /** Lets the request take longer than others; only over HTTP. */
  extendTime?: () => void;
  /** Tells the caller that the answer is a repeat. */
  onReplay?: () => void;
  /** What becomes of a mutation whose answer is kept. */
  outcome?: MutationOutcome;
};

/** Told by the fields of a mutation that runs under an Idempotency-Key. */
export type MutationOutcome = {
  /** Why the mutation is refused before it is tried. */
  error?: unknown;
  hasSucceeded: boolean;
  /** Where in the answer secrets stand that are shown once. */
  secretPaths: (string | number)[][];
};

export type BrowserSession = Browser & {
  /** The network address it asks from. */
  address: string;
  /** What it says it is. */
  userAgent: string | undefined;
  /** Gives the browser the session's cookie. */
  setSessionCookie(session: Pick<NewUserSession, 'token' | 'expiresAt'>): void;
  /** Makes the browser known for the user with this e-mail, who has proved to use it. */
  setTrustedDeviceCookie(email: string): void;
  clearSessionCookie(): void;
};

/** Whose objects, in which mode: every query starts from these. Errors: as boundCaller. */
export function getMerchantScope(context: Pick<GraphqlContext, 'caller'>): MerchantScope {
  const { merchant, mode } = requireScopedCaller(context);
  return { merchantId: merchant.id, mode };
}

/** Who does something for the merchant, and from where: what operations and the audit trail are told. */
export function toRequestContext(context: GraphqlContext): RequestContext {
  return { caller: requireMerchantCaller(context), address: context.address, now: context.clock.now() };
}

/** Who changes an object of the merchant, at the merchant's time: options of most operations. Errors: as merchantCaller. */
export function toMutationContext(context: GraphqlContext) {
  const { actor } = requireMerchantCaller(context);
  return {
    ...getMerchantScope(context),
    actor,
    now: getMerchantTime(context),
    audit: toAuditContext(context),
  };
}

/** Who acts for the merchant, for the audit trail; undefined for the page of a customer. */
export function toAuditContext({ caller, address, clock }: GraphqlContext): AuditContext | undefined {
  if (caller.kind !== 'key' && caller.kind !== 'user') return undefined;
  return { actor: caller.actor, address, now: clock.now() };
}

/** The operator who asks, as the audit trail names them. Error: `permission_denied` for everybody else. */
export function requireOperator(context: GraphqlContext) {
  const { caller, address, clock } = context;
  if (caller.kind !== 'operator')
    throw new DomainError('permission_denied', 'Only an operator of the installation can do this');
  return { actor: caller.actor, address, now: clock.now() };
}

/** The time for what the caller does: in the sandbox that of its test clock. Not for tokens, limits and sign-in. */
export function getMerchantTime(context: Pick<GraphqlContext, 'caller' | 'clock'>): MerchantTime {
  const { merchant, mode } = requireScopedCaller(context);
  return merchantNow(context.clock.now(), merchant, mode);
}

/**
 * The caller that belongs to a merchant. Errors: `unauthenticated` for a visitor, `permission_denied` for an operator.
 */
export function requireScopedCaller({
  caller,
}: Pick<GraphqlContext, 'caller'>): KeyCaller | UserCaller | PageCaller {
  if (caller.kind === 'visitor') throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  if (caller.kind === 'operator') {
    throw new DomainError('permission_denied', 'Operators cannot act for a merchant');
  }
  return caller;
}

/** The caller that acts for the merchant. Errors: as boundCaller; `permission_denied` for a page. */
export function requireMerchantCaller(context: Pick<GraphqlContext, 'caller'>): MerchantCaller {
  const caller = requireScopedCaller(context);
  if (caller.kind === 'page') throw clientTokenDenied();
  return caller;
}

export function clientTokenDenied(): DomainError {
  return new DomainError('permission_denied', 'A client token does not give access to this');
}

/** Error: `permission_denied` for whatever is not a page of the dashboard. */
export function requireBrowser({ browser }: GraphqlContext): BrowserSession {
  if (browser) return browser;
  throw new DomainError('permission_denied', 'This is available only from the dashboard’s pages');
}

/** A signed-in user who does something to their own account. Errors: as requireBrowser; `unauthenticated`. */
export function requireSessionUser(context: GraphqlContext): SessionContext {
  const { address } = requireBrowser(context);
  const { caller, clock } = context;
  if (caller.kind !== 'user' && caller.kind !== 'operator')
    throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  return { user: caller.user, session: caller.session, address, now: clock.now() };
}
