import {
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isUnionType,
} from 'graphql';

/** The assumed length of a list without pages. */
const defaultListSize = 5;
/** The page size without `first` or `last`. */
export const defaultPageSize = 10;
const mutationCost = 10;

/**
 * Returns the cost of a field: 1 for each possible object, nothing for its scalars except `totalCount`. Fields of a
 * list are multiplied by its length: the page size, the number of requested IDs, or else five. A mutation costs 10.
 */
export function getFieldCost(
  args: Record<string, unknown>,
  _context: unknown,
  field: { name: string; type: GraphQLOutputType; args: readonly unknown[] },
): { field: number; multiplier: number } {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return { field: field.name === 'totalCount' ? 1 : 0, multiplier: 1 };
  if (type.name.endsWith('Connection')) return { field: 1, multiplier: getPageSize(args) };
  // The connection field already counted these objects.
  if (type.name.endsWith('Edge') || type.name === 'PageInfo') return { field: 0, multiplier: 1 };
  if (field.name === 'nodes' && field.args.length === 0) return { field: 1, multiplier: 1 };
  if (isListType(getNullableType(field.type))) {
    const size = Array.isArray(args.ids) ? args.ids.length : defaultListSize;
    return { field: size, multiplier: size };
  }
  const isMutation = isUnionType(type) && type.name.endsWith('Result');
  return { field: isMutation ? mutationCost : 1, multiplier: 1 };
}

/** Returns the requested page size, even if it is later rejected. */
function getPageSize({ first, last }: Record<string, unknown>): number {
  const size = first ?? last ?? defaultPageSize;
  return Math.max(typeof size === 'number' ? size : defaultPageSize, 1);
}
