import { Type } from 'typebox';
import { invalidInputError } from '../kit/errors.ts';

const defaultLimit = 10;
const limitMax = 50;
/** Keeps the offset within the range of safe integers. */
const pageMax = 1_000_000_000;

/** The query parameters of lists, which are text that `parsePaging` parses. */
export const pagingQuery = {
  page: Type.Optional(Type.String({ description: 'The page number, starting at 1. The default is 1.' })),
  limit: Type.Optional(
    Type.String({ description: 'The number of objects per page, at most 50. The default is 10.' }),
  ),
};

/** The types of `pagingQuery` in the OpenAPI document: integers, although requests are validated as text. */
export const documentedPagingSchemas: Record<string, object> = {
  page: { type: 'integer', minimum: 1, maximum: pageMax, default: 1 },
  limit: { type: 'integer', minimum: 1, maximum: limitMax, default: defaultLimit },
};

export const paginationSchema = Type.Object(
  {
    totalPages: Type.Integer({ description: 'The number of pages in the list.' }),
    total: Type.Integer({ description: 'The number of objects in the list, on all pages.' }),
    currentPage: Type.Integer({ description: 'The number of this page, starting at 1.' }),
  },
  { title: 'Pagination', description: 'The position of a page in its list.' },
);

/** Parses `page` and `limit`, or returns their defaults. Throws `invalid_request` for values out of range. */
export function parsePaging(query: { page: string | undefined; limit: string | undefined }): {
  page: number;
  limit: number;
} {
  return {
    page: parseInteger(query.page, 1, { path: '/page', max: pageMax }),
    limit: parseInteger(query.limit, defaultLimit, { path: '/limit', max: limitMax }),
  };
}

function parseInteger(
  text: string | undefined,
  fallback: number,
  options: { path: string; max: number },
): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number >= 1 && number <= options.max) return number;
  throw invalidInputError(options.path, `must be an integer from 1 to ${options.max}`);
}

export function toPagination(total: number, paging: { page: number; limit: number }) {
  return { totalPages: Math.ceil(total / paging.limit), total, currentPage: paging.page };
}
