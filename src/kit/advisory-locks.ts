/**
 * The keys of PostgreSQL advisory locks with a fixed number; each database has its own locks. The key of a named lock
 * is a hash, see `getLockKey`.
 */
export const advisoryLocks = {
  /** Serializes migrations when several processes start at the same time. */
  migrate: 7_215_402_001n,
  /** Held by the relay that is processing a batch, so that only one relay runs at a time. */
  relay: 7_215_402_002n,
  /** Held while the job table is created, because concurrent `CREATE` statements for the same table would fail. */
  jobTable: 7_215_402_003n,
  /** Held while the counts of charges are summed up, so that only one process does so. */
  foldChargeCounts: 7_215_402_004n,
  /** Held by a command that rotates the secrets, until its connection ends. */
  rotateSecrets: 7_215_402_005n,
} as const;
