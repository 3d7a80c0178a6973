import { type Receiver, receiveRequest } from '../receive.ts';

/**
 * Returns a route handler of Next.js that verifies notifications. In `app/causeway/route.ts`: `export const POST =
 * receiveWithNext({ username, password, onEvent })`.
 */
export function receiveWithNext(receiver: Receiver): (request: Request) => Promise<Response> {
  return (request) => receiveRequest(receiver, request);
}
