/** One deliberate fault: it breaks a single promise of docs/internals/conformance.md, and the named tests have to notice it. */
export type Mutant = {
  /** The promise that the mutant breaks, as a sentence. */
  promise: string;
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  replace: string;
  /** Test files of which each has to fail. */
  tests: readonly string[];
};
