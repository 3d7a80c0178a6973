import type { FieldNullability, InputFieldMap, SchemaTypes, TypeParam } from '@pothos/core';
import type { TwoFactorRule } from '../../src/domain/accounts/user/require-recent-two-factor.ts';

/** What a query or mutation requires of its caller, declared where the field is defined. */
type AccessOptions = {
  /** When the field requires a recent re-authentication of users. */
  twoFactor?: TwoFactorRule;
  /** Whether the field requires restricted access in live mode. */
  isRestricted?: true;
  /** Whether operators cannot disable the field, so that users can sign in and see which operations are disabled. */
  isAlwaysEnabled?: true;
};

type MutationOptions = AccessOptions & {
  twoFactor: TwoFactorRule;
  /** Whether the default timeout does not apply, because the mutation reads large files or waits on purpose. */
  isLongRunning?: true;
  /**
   * Whether an Idempotency-Key has no effect: the mutation is harmless to repeat, consumes a single-use link or code,
   * or must count each attempt to sign in.
   */
  ignoresIdempotencyKey?: true;
  /** How long the response is stored for an Idempotency-Key, if not for `responseRetentionMs` of the domain. */
  responseRetentionMs?: number;
};

declare global {
  export namespace PothosSchemaTypes {
    export interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > extends AccessOptions {}

    export interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > extends MutationOptions {}
  }
}

/** Returns the options of a root field, from its configuration or from its `extensions` in the schema. */
export function getRootFieldOptions(
  field: { pothosOptions?: unknown } | undefined,
): Partial<MutationOptions> {
  return (field?.pothosOptions ?? {}) as Partial<MutationOptions>;
}
