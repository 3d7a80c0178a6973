import type { Operation } from 'urql';
import { withHeaders } from './with-headers.ts';

/** The id of the user whose data the page shows; undefined until it is known. */
let viewerId: string | undefined;

export function setPageViewer(id: string | undefined): void {
  viewerId = id;
}

/** Returns the viewer id that requests send. The cookie may belong to another user who has signed in in another tab. */
export function getPageViewerId(): string | undefined {
  return viewerId;
}

/** Adds the viewer id to an operation, except to the gate query, which asks who is signed in. */
export function withPageViewer(operation: Operation): Operation {
  if (viewerId === undefined || operation.context.isGate || operation.kind === 'teardown') return operation;
  return withHeaders(operation, { 'causeway-viewer': viewerId });
}

/** Sets the signed-in user; returns false if the page has shown another user. */
export function acceptViewer(id: string | undefined): boolean {
  const isSame = viewerId === undefined || id === undefined || id === viewerId;
  if (isSame) viewerId = id;
  return isSame;
}
