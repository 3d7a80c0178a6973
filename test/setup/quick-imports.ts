import { registerHooks } from 'node:module';
import { findByName } from '../../scripts/find-by-name.ts';

// Past Vitest too, which keeps a list of who imports whom: it needs that to watch files, and not for one run.
if (process.env.VITEST_MODE !== 'WATCH')
  registerHooks({
    resolve: (specifier, context, next) =>
      findByName(specifier, context.parentURL) ?? next(specifier, context),
  });
