/** PostgreSQL's advisory locks that are ours by number, of a database each. Those taken by a name are hashes of it. */
export const advisoryLocks = {
  /** Held while migrating, so that processes which start at once do not migrate at once. */
  migrate: 7_215_402_001n,
  /** Held by the one relay that is at a batch. */
  relay: 7_215_402_002n,
  /** Held while the table of jobs is made: processes that start at once fail on each other's half-made objects. */
  jobTable: 7_215_402_003n,
} as const;
