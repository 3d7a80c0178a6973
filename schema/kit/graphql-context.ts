import type { SchemaTypes } from '@pothos/core';
import type { FastifyBaseLogger } from 'fastify';
import type { GraphQLFieldResolver } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Context } from '../../src/context.ts';
import type { MerchantCaller, RequestContext } from '../../src/domain/accounts/api-key/permissions.ts';
import type { SessionContext } from '../../src/domain/accounts/user/reauthenticate.ts';
import type { NewUserSession } from '../../src/domain/accounts/user/user-session.ts';
import type { AuditContext } from '../../src/domain/platform/audit/record-audit.ts';
import { merchantNow } from '../../src/domain/platform/clock/merchant-now.ts';
import type { Browser } from '../../src/http/browser.ts';
import type { Caller, KeyCaller, PageCaller, UserCaller } from '../../src/http/caller.ts';
import type { MerchantTime } from '../../src/kit/clock.ts';
import { DomainError } from '../../src/kit/errors.ts';
import type { MerchantScope } from '../../src/kit/merchant-scope.ts';

/** The context of every resolver. */
export type GraphqlContext = Context & {
  caller: Caller;
  /** Authenticates the caller again, because subscriptions can outlive their credentials. */
  authenticate: () => Promise<Caller>;
  /** Only for requests of the dashboard's pages, which may sign in and out. */
  browser?: BrowserSession | undefined;
  /** The client address, resolved according to TRUST_PROXY. */
  ipAddress: string;
  /** The parameters that the route parsed; only over HTTP. */
  params?: GraphQLParams;
  requestId: string;
  log: FastifyBaseLogger;
  idempotencyKey?: string | undefined;
  /** Exempts the request from the default timeout; only over HTTP. */
  extendTime?: () => void;
  /** Marks the response as a replay. */
  onReplay?: () => void;
  /** Only for a mutation that runs under an Idempotency-Key. */
  outcome?: MutationOutcome;
};

export type FieldResolver<Types extends SchemaTypes> = GraphQLFieldResolver<
  unknown,
  Types['Context'],
  object
>;

/** Set by the fields of a mutation that runs under an Idempotency-Key. */
export type MutationOutcome = {
  /** An error to throw instead of executing the mutation. */
  error?: unknown;
  hasSucceeded: boolean;
  /** Response paths of secrets that are shown only once. */
  secretPaths: (string | number)[][];
};

export type BrowserSession = Browser & {
  ipAddress: string;
  userAgent: string | undefined;
  setSessionCookie(session: Pick<NewUserSession, 'token' | 'expiresAt'>): void;
  /** Marks the browser as trusted for the user with this email, who has just authenticated in it. */
  setTrustedBrowserCookie(email: string): void;
  clearSessionCookie(): void;
};

/** Returns the merchant and mode that scope every query. */
export function getMerchantScope(context: Pick<GraphqlContext, 'caller'>): MerchantScope {
  const { merchant, mode } = requireScopedCaller(context);
  return { merchantId: merchant.id, mode };
}

/** Returns the condition for the merchant's rows, without deleted ones. */
export function buildNotDeletedFilter(context: GraphqlContext) {
  return { ...getMerchantScope(context), deletedAt: null };
}

/** Returns the merchant scope and audit context of a change at the system time, which a test clock does not affect. */
export function toSystemContext(context: GraphqlContext): MerchantScope & AuditContext {
  const { actor } = requireMerchantCaller(context);
  return { ...getMerchantScope(context), actor, ipAddress: context.ipAddress, now: context.clock.now() };
}

/** Returns the merchant's caller with address and time, for operations and the audit trail. */
export function toRequestContext(context: GraphqlContext): RequestContext {
  return { caller: requireMerchantCaller(context), ipAddress: context.ipAddress, now: context.clock.now() };
}

/** Returns the common options of operations that change an object, at the merchant's time. */
export function toMutationContext(context: GraphqlContext) {
  const { actor } = requireMerchantCaller(context);
  return {
    ...getMerchantScope(context),
    actor,
    now: getMerchantTime(context),
    audit: { actor, ipAddress: context.ipAddress, now: context.clock.now() },
  };
}

/** Returns the audit context of a caller that acts for the merchant; undefined for a customer's page. */
export function toAuditContext({ caller, ipAddress, clock }: GraphqlContext): AuditContext | undefined {
  if (caller.kind !== 'key' && caller.kind !== 'user') return undefined;
  return { actor: caller.actor, ipAddress, now: clock.now() };
}

/** Returns the operator's audit context. Rejects other callers. */
export function requireOperator(context: GraphqlContext) {
  const { caller, ipAddress, clock } = context;
  if (caller.kind !== 'operator')
    throw new DomainError('permission_denied', 'Only an operator of the installation can do this');
  return { actor: caller.actor, ipAddress, now: clock.now() };
}

/**
 * Returns the time for business operations: in the sandbox, the time of the test clock. Tokens, limits and
 * sign-in must use the system time.
 */
export function getMerchantTime(context: Pick<GraphqlContext, 'caller' | 'clock'>): MerchantTime {
  const { merchant, mode } = requireScopedCaller(context);
  return merchantNow(context.clock.now(), merchant, mode);
}

/** Returns the caller if it belongs to a merchant, unlike a visitor or an operator. */
export function requireScopedCaller({
  caller,
}: Pick<GraphqlContext, 'caller'>): KeyCaller | UserCaller | PageCaller {
  if (caller.kind === 'visitor') throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  if (caller.kind === 'operator') {
    throw new DomainError('permission_denied', 'Operators cannot act for a merchant');
  }
  return caller;
}

/** Returns the caller if it acts for a merchant, unlike a customer's page with a client token. */
export function requireMerchantCaller(context: Pick<GraphqlContext, 'caller'>): MerchantCaller {
  const caller = requireScopedCaller(context);
  if (caller.kind === 'clientToken') throw clientTokenDeniedError();
  return caller;
}

export function clientTokenDeniedError(): DomainError {
  return new DomainError('permission_denied', 'A client token does not give access to this');
}

/** Requires a request from a page of the dashboard. */
export function requireBrowser({ browser }: GraphqlContext): BrowserSession {
  if (browser) return browser;
  throw new DomainError('permission_denied', 'This is available only from the dashboard’s pages');
}

/** Returns the user who is signed in to the dashboard, with their session. */
export function requireSessionUser(context: GraphqlContext): SessionContext {
  const { ipAddress } = requireBrowser(context);
  const { caller, clock } = context;
  if (caller.kind !== 'user' && caller.kind !== 'operator')
    throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  return { user: caller.user, session: caller.session, ipAddress, now: clock.now() };
}
