import type { Operation } from 'urql';
import { withHeaders } from './with-headers.ts';

/** The ID of the user whose data the page shows; undefined until the user is known. */
let viewerId: string | undefined;

export function setPageViewer(id: string | undefined): void {
  viewerId = id;
}

/**
 * Returns the viewer ID that requests send, so that the server can detect that the cookie belongs to another user,
 * who has signed in in another tab.
 */
export function getPageViewerId(): string | undefined {
  return viewerId;
}

/** Adds the viewer ID to an operation, except to the gate query, which loads the signed-in user. */
export function withPageViewer(operation: Operation): Operation {
  if (viewerId === undefined || operation.context.isGate || operation.kind === 'teardown') return operation;
  return withHeaders(operation, { 'causeway-viewer': viewerId });
}

/** Sets the signed-in user, unless the page already shows another user. Returns whether the user was set. */
export function acceptViewer(id: string | undefined): boolean {
  const isSame = viewerId === undefined || id === undefined || id === viewerId;
  if (isSame) viewerId = id;
  return isSame;
}
