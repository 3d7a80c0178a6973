/**
 * Numbered PostgreSQL advisory locks, scoped to a database. The keys of named locks are hashes, see
 * `getLockKey`.
 */
export const advisoryLocks = {
  /** Serializes migrations when several processes start at once. */
  migrate: 7_215_402_001n,
  /** Held by the relay that is processing a batch, so that only one relay runs at a time. */
  relay: 7_215_402_002n,
  /**
   * Held while the job table is created: concurrent `CREATE` statements would fail on each other's objects.
   */
  jobTable: 7_215_402_003n,
} as const;
