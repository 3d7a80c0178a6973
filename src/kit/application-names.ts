/** The beginning of the `application_name` of pools and lasting connections, by which `pg_stat_activity` shows them. */
export const applicationName = 'causeway';

export const announcerApplicationName = `${applicationName} announce`;
export const jobsApplicationName = `${applicationName} jobs`;

export const commandApplicationName = `${applicationName} command`;

export const listenerApplicationName = `${applicationName} listen`;
