import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type PrismaTypes from '../../prisma/client/pothos-types.ts';
import { getDatamodel } from '../../prisma/client/pothos-types.ts';
import {
  type Permission,
  requireAnyPermission,
  requirePermission,
} from '../../src/domain/accounts/api-key/permissions.ts';
import { canSeeMerchantFields } from './access.ts';
import { errorTypes } from './error-types.ts';
import { defaultPageSize, getFieldCost } from './field-cost.ts';
import {
  clientTokenDeniedError,
  type GraphqlContext,
  requireBrowser,
  requireMerchantCaller,
  requireOperator,
  requireSessionUser,
} from './graphql-context.ts';
import IdempotencyPlugin from './idempotency-plugin.ts';
import LoadedRelationsPlugin from './loaded-relations-plugin.ts';
import OperationsPlugin from './operations-plugin.ts';
import { relayOptions } from './relay-options.ts';
import TwoFactorPlugin from './two-factor-plugin.ts';

type BuilderTypes = {
  Context: GraphqlContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  DefaultAuthStrategy: 'all';
  AuthScopes: {
    /** An API key or user with this permission. */
    permission: Permission;
    /** An API key or user with at least one of these permissions. */
    anyPermission: Permission[];
    /** Any caller without a client token. */
    merchant: boolean;
    /** A caller with a client token. */
    clientToken: boolean;
    operator: boolean;
    /** A page of the dashboard, signed in or not. */
    browser: boolean;
    /** A user or operator who is signed in to the dashboard. */
    self: boolean;
  };
  Scalars: {
    ID: { Input: string; Output: string };
    Decimal: { Input: string; Output: string };
    BigInt: { Input: never; Output: bigint };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: string; Output: string };
    CurrencyCode: { Input: string; Output: string };
    CountryCode: { Input: string; Output: string };
    Translation: { Input: never; Output: object };
  };
};

/**
 * Configures the builder. The files of each object type add types, queries, mutations and subscriptions. The order
 * of the plugins matters. Errors comes first, so that denials by scope-auth become members of a mutation's
 * result union. Two-factor comes after scope-auth, so that callers without the permission are not asked for a
 * code.
 */
export const builder = new SchemaBuilder<BuilderTypes>({
  plugins: [
    ErrorsPlugin,
    IdempotencyPlugin,
    OperationsPlugin,
    ScopeAuthPlugin,
    TwoFactorPlugin,
    LoadedRelationsPlugin,
    RelayPlugin,
    PrismaPlugin,
    ComplexityPlugin,
  ],
  defaultFieldNullability: false,
  errors: {
    defaultTypes: errorTypes,
    directResult: true,
    defaultUnionOptions: {
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
      description:
        'The success payload of the mutation, or the error that prevented it. Every error implements `UserError`.',
    },
  },
  scopeAuth: {
    defaultStrategy: 'all',
    authorizeOnSubscribe: true,
    unauthorizedError: clientTokenDeniedError,
    authScopes: (context) => ({
      permission: (permission) => {
        requirePermission(requireMerchantCaller(context), permission);
        return true;
      },
      anyPermission: (permissions) => {
        requireAnyPermission(requireMerchantCaller(context), permissions);
        return true;
      },
      merchant: canSeeMerchantFields(context),
      clientToken: context.caller.kind === 'clientToken',
      operator: () => {
        requireOperator(context);
        return true;
      },
      browser: () => {
        requireBrowser(context);
        return true;
      },
      self: () => {
        requireSessionUser(context);
        return true;
      },
    }),
  },
  relay: relayOptions,
  // Costs per field; `checkCost` limits the whole operation before it is executed.
  complexity: { fieldComplexity: getFieldCost },
  prisma: {
    client: (context) => context.service.prisma,
    dmmf: getDatamodel(),
    filterConnectionTotalCount: true,
    defaultConnectionSize: defaultPageSize,
  },
});

builder.queryType({
  description:
    'The root query type. Queries return only data of the caller’s merchant, in the mode of the request. For an object that does not exist or belongs to another merchant or mode, they return null. Other errors are in `errors` of the response, with their code in `extensions.code`.',
  authScopes: { permission: 'read' },
});

builder.mutationType({
  description:
    'The root mutation type. Each mutation returns its success payload, or the error that prevented it. Besides the error codes in its description, every mutation can fail with `invalid_request` for invalid input, with `permission_denied`, and, if it requires restricted access, with `restricted_endpoint`. Mutations of dashboard users can also fail with `two_factor_code_required` or `two_factor_setup_required`, and mutations with an `Idempotency-Key` with `idempotency_in_progress` or `idempotency_key_reused`.',
});

builder.subscriptionType({
  description:
    'The root subscription type. A subscription to one object sends it immediately and after each committed change. A subscription to a list sends the newest object immediately, then the new or changed objects that its description names. The same state may be sent twice.',
  authScopes: { permission: 'read' },
});

/** The builder's type parameters with all defaults, for helpers that take its refs. */
export type ExtendedTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer All> ? All : never;

/** The parsed value of an input object. */
export type InferInput<Ref extends { $inferInput: unknown }> = Ref['$inferInput'];
