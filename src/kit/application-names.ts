/**
 * The `application_name` of connections in `pg_stat_activity`. All names share this prefix, so queries can
 * find them.
 */
export const applicationName = 'causeway';

export const announcerApplicationName = `${applicationName} announce`;
export const jobsApplicationName = `${applicationName} jobs`;

export const commandApplicationName = `${applicationName} command`;

export const listenerApplicationName = `${applicationName} listen`;
