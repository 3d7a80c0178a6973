import { type ComponentType, lazy } from 'react';
import { t } from '../language/texts.ts';
import { ErrorPage } from './error-page.tsx';

/**
 * Creates a page whose chunk is loaded when the page is opened. If loading fails, because the server is
 * unreachable or has a newer bundle, the page shows an error.
 */
export function lazyPage<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch(() => ({ default: PageLoadError as ComponentType<Props> })));
}

function PageLoadError() {
  return <ErrorPage title={t.shell.thisPageCouldNot} text={t.shell.theServerCannotBe} />;
}
