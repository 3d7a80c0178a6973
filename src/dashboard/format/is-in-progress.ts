/** Whether work that was asked for still goes on: an export whose file is being made, the import of a statement. */
export function isInProgress({ status }: { status: string }): boolean {
  return status === 'queued' || status === 'running';
}
