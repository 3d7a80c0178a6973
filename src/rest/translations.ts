import { Type } from 'typebox';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { languageCodes, languages } from '../language/languages.ts';
import { enumSchema } from './inputs.ts';
import type { TypedFastify } from './typed-fastify.ts';

const translationQuery = Type.Object(
  { locale: enumSchema(languageCodes, 'The language of the strings.') },
  { additionalProperties: false },
);

/** Serves the texts of the customer pages to merchants who build their own interface. */
export function registerTranslationRoutes(app: TypedFastify): void {
  const schema = {
    summary: 'Get the strings of the interface in a language (requires restricted access)',
    description:
      'Returns the strings of the customer pages as nested objects. Replace placeholders in braces, such as `{amount}`, with their values. Requires the permission `read` and, in live mode, restricted access.',
    tags: ['Helpers'],
    querystring: translationQuery,
    response: {
      200: Type.Object(
        {
          translation: Type.Object(
            {},
            { additionalProperties: true, description: 'The strings, as nested objects.' },
          ),
        },
        { title: 'Translation', description: 'The strings of the customer pages in one language.' },
      ),
    },
  };
  app.get('/translations', { schema }, async (request) => {
    requirePermission(request.caller, 'read');
    return { translation: languages[request.query.locale] };
  });
}
