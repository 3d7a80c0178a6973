/** What our connections are called in `pg_stat_activity`: all begin alike, for those who look for them. */
export const applicationName = 'causeway';

/** The one on which each process tells what changed, and those of the store of jobs. */
export const announcerApplicationName = `${applicationName} announce`;
export const jobsApplicationName = `${applicationName} jobs`;

/** Of commands of the command line. */
export const commandApplicationName = `${applicationName} command`;

/** The one on which each process of the service listens. */
export const listenerApplicationName = `${applicationName} listen`;
