import type { FastifyRequest } from 'fastify';

/** A request for a page whose URL ends with its access token. */
export type TokenRequest = FastifyRequest<{ Params: { token: string } }>;
