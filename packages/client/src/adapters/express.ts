import { type Receiver, receive } from '../receive.ts';
import type { RawBody } from '../request.ts';

type NodeRequest = {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
};
type NodeResponse = { statusCode: number; end(): unknown };

/**
 * Returns an Express handler that verifies notifications: `app.post('/causeway', express.raw({ type: '*\/*' }),
 * receiveWithExpress({ username, password, onEvent }))`. Register it before `express.json()`, which discards the exact
 * bytes that are verified. Errors of `onEvent` go to `next`.
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
