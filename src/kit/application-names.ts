/**
 * The beginning of every `application_name`, by which queries of `pg_stat_activity` find the connections of Causeway.
 */
export const applicationName = 'causeway';

export const announcerApplicationName = `${applicationName} announce`;
export const jobsApplicationName = `${applicationName} jobs`;

export const commandApplicationName = `${applicationName} command`;

export const listenerApplicationName = `${applicationName} listen`;
