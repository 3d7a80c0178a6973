/** A regular file in the folder of a feed. */
export type SourceFile = { name: string; size: number; modifiedAt: Date };

/** The folder of a feed with files. */
export type FileSource = {
  list(): Promise<SourceFile[]>;
  /** Reads a file. Throws if its size differs from the listed one, because it is still being written. */
  read(file: SourceFile): AsyncIterable<Uint8Array>;
  /** Moves a file to the subfolder `archive`, under a name that is free. */
  archive(file: SourceFile): Promise<void>;
  /** Returns whether the connection can still be used. */
  isOpen(): boolean;
  close(): Promise<void>;
};

/** The subfolder of imported files. */
export const archiveFolder = 'archive';

/** Names of files that are not complete, of markers, and of hidden files. */
const unfinishedName = /^\.|\.(?:tmp|temp|part|partial|filepart|crdownload|done|ctl|ok|lock)$/i;

export function isUnfinishedName(name: string): boolean {
  return unfinishedName.test(name);
}

/**
 * Returns the name of an archived file: its own name, or for a `number` above 0, one with the time of its last change.
 */
export function toArchiveName({ name, modifiedAt }: SourceFile, number: number): string {
  const time = modifiedAt.toISOString().replace(/[:.]/g, '-');
  return number === 0 ? name : `${time}${number === 1 ? '' : `-${number}`}-${name}`;
}
