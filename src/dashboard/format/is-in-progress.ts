/** Returns whether an export or import is queued or running, or an import is being undone. */
export function isInProgress({ status }: { status: string }): boolean {
  return status === 'queued' || status === 'running' || status === 'undoing';
}
