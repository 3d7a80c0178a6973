/** A code change that violates one requirement of docs/internals/conformance.md, so that the named tests must fail. */
export type Mutant = {
  /** The violated requirement, as a sentence. */
  promise: string;
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  replace: string;
  /** Test files of which each has to fail. */
  tests: readonly string[];
};
