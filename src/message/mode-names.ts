/** The names of the modes, as the dashboard calls them. */
export const modeNames = { live: 'Live', sandbox: 'Sandbox' } as const;
