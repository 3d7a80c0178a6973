import type { FastifyInstance } from 'fastify';
import { invalidInputError } from '../kit/errors.ts';
import { toPointer } from '../kit/schema-errors.ts';
import { findTextError } from '../kit/text.ts';

/** Rejects values in path, query and body that PostgreSQL cannot store or JSON cannot encode. */
export function rejectUnstorableText(app: FastifyInstance): void {
  app.addHook('preValidation', ({ params, query, body }, _reply, done) => {
    checkStorable(params);
    checkStorable(query);
    checkStorable(body);
    done();
  });
}

/** Like {@link rejectUnstorableText}, for path and query only, for routes whose body is a file. */
export function rejectUnstorableUrl(app: FastifyInstance): void {
  app.addHook('preValidation', ({ params, query }, _reply, done) => {
    checkStorable(params);
    checkStorable(query);
    done();
  });
}

function checkStorable(value: unknown): void {
  const error = findUnstorable(value);
  if (error) throw invalidInputError(error.path, error.message);
}

/** Returns the first error. The JSON pointer is built while returning, because errors are rare. */
function findUnstorable(value: unknown): { path: string; message: string } | undefined {
  if (typeof value === 'string') {
    const message = findTextError(value);
    return message === undefined ? undefined : { path: '', message };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of Object.keys(value)) {
    const error = findUnstorable(value[name as keyof typeof value]);
    if (error) return { ...error, path: `${toPointer(name)}${error.path}` };
  }
  return undefined;
}
