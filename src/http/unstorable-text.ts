import type { FastifyInstance } from 'fastify';
import { invalidInput } from '../kit/errors.ts';
import { textFault } from '../kit/text.ts';

/** Text that PostgreSQL cannot store is refused wherever it stands: in the path, the query, or the body. */
export function refuseUnstorableText(app: FastifyInstance): void {
  app.addHook('preValidation', ({ params, query, body }, _reply, done) => {
    refuseIn(params);
    refuseIn(query);
    refuseIn(body);
    done();
  });
}

/** The same where the body is a file: only the address is looked at. */
export function refuseUnstorableAddress(app: FastifyInstance): void {
  app.addHook('preValidation', ({ params, query }, _reply, done) => {
    refuseIn(params);
    refuseIn(query);
    done();
  });
}

function refuseIn(value: unknown): void {
  const fault = findFault(value);
  if (fault) throw invalidInput(fault.path, fault.message);
}

/** The first one, by a JSON pointer that is put together on the way back: nearly always there is none. */
function findFault(value: unknown): { path: string; message: string } | undefined {
  if (typeof value === 'string') {
    const message = textFault(value);
    return message === undefined ? undefined : { path: '', message };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of Object.keys(value)) {
    const fault = findFault(value[name as keyof typeof value]);
    if (fault) return { ...fault, path: `/${name}${fault.path}` };
  }
  return undefined;
}
