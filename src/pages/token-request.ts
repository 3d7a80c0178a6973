import type { FastifyRequest } from 'fastify';

/** A request of a page whose address ends with the token that opens it. */
export type TokenRequest = FastifyRequest<{ Params: { token: string } }>;
