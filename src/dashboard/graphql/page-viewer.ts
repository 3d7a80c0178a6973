import type { Operation } from 'urql';
import { withHeaders } from './with-headers.ts';

/** Whom this page shows; undefined until that is known. */
let viewerId: string | undefined;

export function setPageViewer(id: string | undefined): void {
  viewerId = id;
}

/** The id by which requests say for whom they are: the cookie may be somebody else's by now, who signed in in another tab. */
export function getPageViewerId(): string | undefined {
  return viewerId;
}

/** The operation for whom the page shows; who that is, is asked for nobody. */
export function withPageViewer(operation: Operation): Operation {
  if (viewerId === undefined || operation.context.isGate || operation.kind === 'teardown') return operation;
  return withHeaders(operation, { 'causeway-viewer': viewerId });
}

/** Takes who is signed in; false where somebody else was shown. */
export function acceptViewer(id: string | undefined): boolean {
  const isSame = viewerId === undefined || id === undefined || id === viewerId;
  if (isSame) viewerId = id;
  return isSame;
}
