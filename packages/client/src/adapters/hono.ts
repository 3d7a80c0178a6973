import { type Receiver, receiveRequest } from '../receive.ts';

/**
 * Returns a Hono handler that verifies notifications: `app.post('/causeway', receiveWithHono({ username, password,
 * onEvent }))`.
 */
export function receiveWithHono(
  receiver: Receiver,
): (context: { req: { raw: Request } }) => Promise<Response> {
  return (context) => receiveRequest(receiver, context.req.raw);
}
