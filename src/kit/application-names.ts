/**
 * The `application_name` of connections, by which `pg_stat_activity` shows what they are used for. All names begin with
 * this one, so that queries can find all connections of Causeway.
 */
export const applicationName = 'causeway';

export const announcerApplicationName = `${applicationName} announce`;
export const jobsApplicationName = `${applicationName} jobs`;

export const commandApplicationName = `${applicationName} command`;

export const listenerApplicationName = `${applicationName} listen`;
