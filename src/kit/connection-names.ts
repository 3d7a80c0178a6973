/** What our connections are called in `pg_stat_activity`: all begin alike, for those who look for them. */
export const ourConnections = 'causeway';

/** The one on which each process tells what changed, and those of the store of jobs. */
export const announceConnections = `${ourConnections} announce`;
export const jobConnections = `${ourConnections} jobs`;

/** Of commands of the command line. */
export const commandConnections = `${ourConnections} command`;

/** The one on which each process of the service listens. */
export const listenConnections = `${ourConnections} listen`;
