import { type Receiver, receiveRequest } from '../receive.ts';

/** `app.post('/causeway', receiveWithHono({ username, password, onEvent }))` */
export function receiveWithHono(
  receiver: Receiver,
): (context: { req: { raw: Request } }) => Promise<Response> {
  return (context) => receiveRequest(receiver, context.req.raw);
}
