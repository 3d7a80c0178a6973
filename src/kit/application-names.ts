/** The beginning of the `application_name` of pools and lasting connections, for queries of `pg_stat_activity`. */
export const applicationName = 'causeway';

export const announcerApplicationName = `${applicationName} announce`;
export const jobsApplicationName = `${applicationName} jobs`;

export const commandApplicationName = `${applicationName} command`;

export const listenerApplicationName = `${applicationName} listen`;
