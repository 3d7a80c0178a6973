import type { Prisma } from '../../prisma/client/client.ts';
import { buildMetadataFilter } from '../../src/domain/platform/metadata.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { type GraphqlContext, getMerchantScope } from '../kit/graphql-context.ts';
import { metadataFilterFields, parseMetadataFilter } from '../list-filters.ts';

export const SessionFilter = builder.inputType('SessionFilter', {
  description:
    'The conditions that the sessions of a list must meet. If several are given, all of them must be met.',
  fields: (t) => metadataFilterFields(t, 'sessions'),
});

/** Returns the condition of a list of sessions. Throws `invalid_request`. */
export function buildSessionFilter(
  context: GraphqlContext,
  filter: InferInput<typeof SessionFilter> | null | undefined,
): Prisma.CheckoutSessionWhereInput {
  const { notifyPayload, metadata } = parseMetadataFilter(filter);
  return {
    ...getMerchantScope(context),
    ...(notifyPayload !== undefined && { notifyPayload }),
    ...buildMetadataFilter(metadata),
  };
}
