import { type Receiver, receive } from '../receive.ts';
import type { RawBody } from '../request.ts';

type NodeRequest = {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
};
type NodeResponse = { statusCode: number; end(): unknown };

/**
 * `app.post('/causeway', express.raw({ type: '*\/*' }), receiveWithExpress({ username, password, onEvent }))`. Register
 * it before `express.json()`, or else the exact bytes are lost.
 */
export function receiveWithExpress(
  receiver: Receiver,
): (request: NodeRequest, response: NodeResponse, next: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      response.statusCode = await receive(receiver, {
        body: request.body as RawBody,
        headers: request.headers,
      });
      response.end();
    } catch (error) {
      next(error);
    }
  };
}
