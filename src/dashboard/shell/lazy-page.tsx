import { type ComponentType, lazy } from 'react';
import { ErrorPage } from './error-page.tsx';

/**
 * A page whose part of the bundle is loaded when it is opened. That fails where the server is not reached, or serves a
 * newer bundle than the one that is open: the page says so.
 */
export function lazyPage<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch(() => ({ default: PageLoadError as ComponentType<Props> })));
}

function PageLoadError() {
  return (
    <ErrorPage
      title="This page could not be loaded"
      text="The server cannot be reached, or a new version of the dashboard is available. Reload the page to try again."
    />
  );
}
