import type { FastifyInstance } from 'fastify';
import { invalidInput } from '../kit/errors.ts';

/** Text that PostgreSQL cannot store is refused wherever it stands: in the path, the query, or the body. */
export function refuseUnstorableText(app: FastifyInstance): void {
  app.addHook('preValidation', ({ params, query, body }, _reply, done) => {
    for (const part of [params, query, body]) refuseIn(part, '');
    done();
  });
}

/** The same where the body is a file: only the address is looked at. */
export function refuseUnstorableAddress(app: FastifyInstance): void {
  app.addHook('preValidation', ({ params, query }, _reply, done) => {
    for (const part of [params, query]) refuseIn(part, '');
    done();
  });
}

function refuseIn(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidInput(path, 'must not contain U+0000');
    if (!value.isWellFormed()) throw invalidInput(path, 'must not contain a lone surrogate');
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) refuseIn(member, `${path}/${name}`);
  }
}
