/** Returns whether an export or import is queued or running. */
export function isInProgress({ status }: { status: string }): boolean {
  return status === 'queued' || status === 'running';
}
