/** Registers a function that releases what a helper has opened; the last one registered runs first. */
export type OnCleanup = (cleanup: () => void | Promise<void>) => void;
